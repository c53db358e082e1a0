"""Parts of hostile command lines. FOLDER is a folder that may be written to."""

# ruff: noqa: E501, RUF001

GAMES = (
    "2x2k2", "2x2k2", "2x2k2", "2x2", "3x2k2", "1x1k1", "2x2k2-misere", "2x2k2-gravity", "2x2k3",
    "0x0", "-1x2k2", "2x2k0", "2x2k-1", "99x99", "99999999999999999999x1k1", "2x2k2-", "2x2k2-x",
    "2x2k2-gravity-gravity", "2X2K2", " 2x2k2", "2x2k2 ", "2x2k2\n", "٢x٢k٢", "２x２k２", "2×2k2",
    "../2x2k2", "2x2k2/../2x2k2", "/", ".", "..", "", "-", "~", "*", "2x2k2/solution",
    "x" * 100_000, "9" * 5_000 + "x1", "𝟚x𝟚k𝟚", "nan", "\udcff", "\x1b[2J", "\u202e2k2x2",
)  # fmt: skip
"""Names of games; those that exist are small."""

BOARDS = (
    "....", "o...", "ox..", "oxo.", "oo..", "xxxx", "oxox", "O X . .", "〇×・＿", "o./..", "o.\n..",
    "////", "o" * 100_000, ".", "", " ", "o..\u0301.", "ｏ...", "о...", "0x..",
    "-...", "--..", "-", "@", "\udcff...", "\x1b[2J", "\u202e...", "o..." * 1_000, "....'; --",
    "{}", "%s%n", "o,x,.,.", "[o]...", "1234",
)  # fmt: skip
"""Boards, one of them with a Cyrillic letter."""

NUMBERS = (
    "0", "1", "2", "10", "-1", "1.5", "1e2", "inf", "-inf", "nan", "NaN", "", " ", "1_0", "٣", "²",
    "+1", "0x10", "1,5", "9" * 19, "9" * 400, "9" * 5_000, "-" + "9" * 30, "1e400", "--1", "x",
)  # fmt: skip

NAMES = (
    "ai1", "ai2", "ai14s", "perfect", "ai14s:score_201=3", "ai14s:score_201=nan", "ai14s:x=1",
    "ai14s:score_201", "ai14s:score_201=" + "9" * 5_000, "ai7:depth=-1", "ai7:", ":", "::", "ai99",
    "monte_carlo:playouts=1", "nothing.py", "nothing.py:choose", "/etc/passwd:choose", "FOLDER:choose",
    "FOLDER/no.py:choose", "no.such.module:choose", "os.path:join", "json:", "command:", "command:'",
    "command:no-such-program", "command:false", "command:true", "../x.py:__class__", "x" * 100_000,
    "\x1b]0;x\x07", "\udcff", "\u202eia", "random", "", " ", "-", "bfs", "dfs", "plies",
    "openings", "strong", "scores", "solution_values", "../checks/scores", "nothing",
    "alphabeta", "minimax", "mtdf", "df_pn", "killers", "circle", "cross", "both", "all", "strong=1", "share=2",
    "share=nan", "no-findings", "strict", "best", "table", "json", "csv", "html", "xml", "arrow",
    "parquet", "text", "moves", "train", "test", "connectx", "openspiel", "gtp", "local", "no", "NAME=VALUE", "x=1", "=", "a=b=c",
)  # fmt: skip
"""Names of anything."""

STATEMENTS = (
    "select 1", "select * from positions", "selec", "", ";", "drop table positions", "select $x",
    "select '\udcff'", "select '\x1b[2J'", "x" * 100_000,
)  # fmt: skip

AMOUNTS = ("1GB", "500MB", "0MB", "1MB", "99999999GB", "-1GB", "1e3MB", "1 GB", "GB", "", "nanGB")

PATHS = (
    "FOLDER/new.csv", "FOLDER/new.json.zst", "FOLDER/new.parquet", "FOLDER/new.html", "FOLDER/new",
    "FOLDER", "FOLDER/", "FOLDER/no/such/folder.csv", "FOLDER/loop", "FOLDER/away", "FOLDER/away/x",
    "DATA", "DATA/2x2k2", "DATA/2x2k2/new.csv", "DATA/2x2k2/manifest.json", "DATA/../data/2x2k2/x",
    "/dev/null", "/dev/null/x", "-", "", ".", "..",
    "~nosuchuser/x", "FOLDER/" + "x" * 300, "FOLDER/" + "d/" * 3_000,
    "FOLDER/\udcff", "FOLDER/\n", "FOLDER/*", "FOLDER/x=1", "FOLDER/\x1b[2J",
)  # fmt: skip

ODD = ("", " ", "--", "-", "---", "-x", "--no-such", "--format=", "-fjson", "=",
       "\u202e", "\udcff", "\x1b[2J", "x" * 100_000, "\n", "--help", "-h", "--version")  # fmt: skip

KINDS = {
    "GAME": GAMES, "BOARD": BOARDS, "SQL": STATEMENTS, "SIZE": AMOUNTS, "AMOUNT": AMOUNTS,
    "PORT": NUMBERS, "N|all": NUMBERS, "FIRST-LAST": NUMBERS, "YYYY-MM-DD": NUMBERS,
    "DIR": PATHS, "FILE": PATHS, "FILE.svg": PATHS, "PATH": PATHS, "ITEMS": PATHS,
    "REPLIES": PATHS, "URL": PATHS,
}  # fmt: skip
"""The values of a parameter, by its placeholder; all others take a number or a name."""
