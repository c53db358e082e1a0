"""Parts of hostile requests: each part is an ordinary one, or one of these."""

# ruff: noqa: RUF001, S104

from marubatsu.web.openapi import PATHS as PATHS_OF_API

ALPHABET = "/.%ox0159abc?&=#\\\x00\r\n \"'<>{}[]é〇"
LONG = "9" * 20_000

_ORDINARY = {
    "game": "2x2k2", "board": "o...", "ai": "ai2", "table": "positions", "document": "game.json"
}  # fmt: skip
_ODD = ("", "..", "%2e%2e%2f%2e%2e", "%00", "%ff", LONG)
ROUTES = {
    route.format(**{**_ORDINARY, name: odd})
    for route in PATHS_OF_API
    for name in _ORDINARY
    for odd in (_ORDINARY[name], *_ODD)
}
"""The paths of the API, and those in which one parameter is odd."""

METHODS = (
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PRI", "get",
    "POST", "POST", "G\x00T", "GET GET", "", "ÄÖ", "X" * 5_000,
)  # fmt: skip

GAME = "/api/v2/games/2x2k2"

_POSITIONS = (
    "....", "oooo", "xo..", "o.../../", "o..%2f", "%E3%80%87...", "o%20.%09.%0A.",
    "%00...", "%ed%a0%80", "%f4%90%80%80", "%1b%5b2J", "<script>alert(1)</script>",
    "%3Cscript%3Ealert(1)%3C/script%3E", "' or 1=1 --", "%27;drop%20table%20positions",
    "o" * 60_000, "%E3%80%87" * 5_000, "o/" * 5_000,
)  # fmt: skip

_AIS = (
    "../../manifest.json", "%2e%2e%2f%2e%2e%2fmanifest.json", "positions/", "positions/....",
    "../../x.py:choose/positions/....",
    "os:system/positions/....", "command:id/positions/....", "ai14s:score_201=3/positions/....",
    "ai7:__class__=1/positions/....", "ai2/positions/ooxx", "ai2/positions/oo..",
    "monte_carlo/positions/....",
)  # fmt: skip

_TABLES = (
    "../manifest.json.parquet",
    "..%2f..%2f..%2fetc%2fpasswd%00.parquet", "%2e%2e/2x2k2/positions.parquet",
    "solution/00.parquet", "*.parquet",
)  # fmt: skip

_DOCUMENTS = (
    "sql", "sql/", "sql?sql=select%201", "reports/../game.json",
    "reports/..%2f..%2f..%2fqueries.json", "plies/0.json", "plies/-1.json", "plies/1e1.json",
    "game.json", "game.json?callback=alert", "game.json/", "game", "reports",
    "reports/plies.json", "reports/.json", "{document}.json", "{name:path}",
)  # fmt: skip

PATHS = (
    *sorted(ROUTES),
    "/", "//", "/./", "/../", "/index.html/", "/INDEX.HTML", "/index.html%00.js", "/api",
    "/api/v2", "/tree", "/tree/", "/tree/..", "/tree/../main.js", "/tree//icicle.js",
    "/tree/./icicle.js", "/tree%5cicicle.js", "/tree/../../pyproject.toml",
    "/tree/..%2f..%2fpyproject.toml", "/pictures/board-light.png", "/api/v2//",
    "/api/v2/game.json", "/api/v2/../v2/start.json", "/api/v2/%2e%2e/start.json",
    "/../../../../../../etc/passwd", "/..%2f..%2f..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "/%252e%252e%252fetc%252fpasswd", "/..\\..\\etc\\passwd",
    "/..%5c..%5cetc%5cpasswd", "/%c0%ae%c0%ae/etc/passwd", "/%c0%af..%c0%afetc/passwd",
    "/..;/etc/passwd", "/....//....//etc/passwd", "/.%00./etc/passwd", "/%00", "/a%00b",
    "/%0d%0aSet-Cookie:%20a=b", "/%0aX: y", "/%ff%fe", "/%", "/%g0", "/%u002e", "/\xff",
    "/\u202e", "/api/v2/../../../../../../../../etc/passwd",
    "/api/v2/..%2f..%2f..%2fpyproject.toml", "/manifest.json", "/positions.parquet",
    "/.git/config", "/pyproject.toml", "/api.py", "/etc/passwd", "//etc/passwd", "///etc/passwd",
    "file:///etc/passwd", "http://evil.example/",
    "http://evil.example:80/api/v2/games/2x2k2/game.json", "*", "", "?", "#", "/#/../", "/;/",
    "/~root/", "/api/v2/games", "/api/v2/games/", "/api/v2/games/..",
    "/api/v2/games/../game.json", "/api/v2/games/%2e%2e/game.json",
    "/api/v2/games/%2e%2e%2f%2e%2e/game.json", "/api/v2/games/2x2k2%00/game.json",
    "/api/v2/games/0x0k0/game.json", "/api/v2/games/999x999k3/game.json",
    "/api/v2/games/-1x2k2/game.json", "/api/v2/games/2x2k2-gravity-torus/game.json",
    "/api/v2/games/2X2K2/game.json", "/api/v2/games/%D9%A2x2k2/game.json",
    f"/api/v2/games/{LONG}x{LONG}k{LONG}/game.json",
    "/api/v2/games/nul/game.json", "/api/v2/games/9x9k5/positions/.",
    "/api/v2/games/3x2k2/game.json", "/" + "a" * 60_000, "/" + "a/" * 20_000,
    "/" + "%2e%2e%2f" * 5_000, "/?" + "a=b&" * 10_000, "/?" + "%" * 10_000, "/?\x00", "/ /",
    "/\t",
    *(f"{GAME}/positions/{each}" for each in _POSITIONS),
    *(f"{GAME}/ais/{each}" for each in _AIS),
    *(f"{GAME}/tables/{each}" for each in _TABLES),
    *(f"{GAME}/{each}" for each in _DOCUMENTS),
)  # fmt: skip

HOSTS = (
    "localhost", "LOCALHOST", "localhost:1", "[::1]", "[::1]:80", "127.1.2.3", "127.0.0.1:0",
    "127.0.0.1:99999", "127.0.0.1:x", "127.0.0.1:", "127.0.0.1.", "localhost.", "0.0.0.0", "0",
    "2130706433", "0x7f.1", "127.1", "017700000001", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]",
    "evil.example", "127.0.0.1.evil.example", "evil.example#127.0.0.1", "127.0.0.1@evil.example",
    "evil.example@127.0.0.1", "127.0.0.1, evil.example", "127.0.0.1 evil.example", "[", "]", "[]",
    "[::1", "[::1%25lo]", "[v1.x]", "", " ", ":80", "@", "/", "\\", "?", "#", "1۲7.0.0.1",
    "ｌocalhost",
    "localhost\x00.evil.example", "x" * 10_000, "[" * 100, "10.0.0.1", "169.254.169.254", "::1",
)  # fmt: skip

HEADERS = (
    "Origin: http://evil.example", "Origin: null", "Origin: ", "Origin: http://127.0.0.1",
    "Origin: http://[", "Origin: file://", "Origin: http://127.0.0.1@evil.example",
    "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: ",
    "Host: evil.example", "X-Forwarded-Host: evil.example", "X-Forwarded-For: 127.0.0.1",
    "X-Forwarded-Proto: https", "Forwarded: host=evil.example", "X-Original-URL: /etc/passwd",
    "X-HTTP-Method-Override: POST", "Accept: */*", "Accept: application/xml",
    "Accept-Encoding: gzip",
    "Accept-Encoding: br, zstd, gzip;q=0", "Accept-Encoding: " + "gzip," * 5_000,
    "Accept-Charset: utf-7", "Accept-Language: ../../etc/passwd", "Range: bytes=0-10",
    "Range: bytes=-1,0-,9999999999999999999-", "If-None-Match: *", "If-Modified-Since: 0",
    "Content-Type: text/html", "Content-Type: application/json; charset=utf-16",
    "Content-Type: multipart/form-data", "Content-Type: \xff", "Content-Encoding: gzip",
    "Content-Length: 0", "Content-Length: -1", "Content-Length: 1e3", "Content-Length: " + LONG,
    "Content-Length: 5, 6", "Transfer-Encoding: gzip", "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: \x0bchunked", "Expect: 100-continue", "Expect: 200-ok", "TE: trailers",
    "Trailer: Host", "Upgrade: websocket", "Upgrade: h2c", "HTTP2-Settings: AAA",
    "Connection: keep-alive, Host", "Connection: upgrade", "Keep-Alive: timeout=99999",
    "Cookie: " + "a=b; " * 5_000, "Authorization: Basic ////", "Proxy: http://evil.example",
    "Purpose: prefetch", "Service-Worker: script", "X: \x00", "X: \x1b[2J", "X: \x7f", "X : y",
    " X: y", "X", ": y", "X: " + "y" * 60_000, "X" * 60_000 + ": y", "\xc3\xa4: y", "X: \r\n y",
    "X: y\rZ: w", "X: y\nZ: w", "\r\n".join(f"X{number}: y" for number in range(1_000)),
)  # fmt: skip

BODIES = (
    "", " ", "x", "null", "true", "0", "-", "1e999", "NaN", "[]", "{}", '""', "{", "[", '"', "{'a'",
    '{"sql"}', '{"sql":}', '{"sql": null}', '{"sql": 1}', '{"sql": []}', '{"sql": {}}',
    '{"sql": ""}', '{"sql": " "}', '{"SQL": "select 1"}', '{"sql": true}', '{"sql": ["select 1"]}',
    '{"sql": "select 1", "sql": 2}', '{"sql": "select 1", "sql": ""}', '{"sql": 1e400}',
    '{"sql": ' + "9" * 6_000 + "}", '{"sql": ' + "[" * 90_000, "[" * 90_000,
    '{"a":' * 15_000 + "1" + "}" * 15_000, '{"sql": "\\ud800"}', '{"sql": "\\u0000"}',
    '{"sql": "\x00"}', '{"sql": "select \\"\\ud83d\\""}', "\ufeff{}", "\xff\xfe{\x00}\x00",
    '{"sql": "' + "x" * 200_000 + '"}', " " * 99_999, "a=b&c=d", "<xml/>", "sql=select+1",
    '{"__proto__": {"sql": "select 1"}}', '{"sql": "select 1"} x', '{"sql": "select 1"}{}',
)  # fmt: skip

QUERIES = (
    '{"sql": "select 1 as a, 1 as a"}', '{"sql": "select \'nan\'::double", "sql ": 1}',
    '{"sql": "x", "sql": "select 1"}', '{"sql": "select \\"\\u202e\\u001b[2J\\""}',
    '{"sql": "select error(chr(27))"}', '{"sql": "from read_text(\'/etc/passwd\')"}',
    '{"sql": "select getenv(\'HOME\')", "game": "../.."}', '{"sql": "select 1", "format": "html"}',
)  # fmt: skip
"""Bodies that start a query."""

BOARDS = (
    '{"boards": []}', '{"boards": ["...."]}', '{"boards": ["....", "...."]}', '{"boards": [1]}',
    '{"boards": "...."}', '{"boards": [null]}', '{"boards": {"a": "...."}}', '{"boards": [[]]}',
    '{"boards": ["oooo"]}', '{"boards": ["zzz"]}', '{"boards": ["\\ud800..."]}',
    '{"boards": [' + ",".join(['"...."'] * 1_001) + "]}", '{"boards": ["' + "." * 90_000 + '"]}',
)  # fmt: skip
"""Bodies that ask for positions."""
