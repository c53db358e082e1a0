"""The first line of each command, as help lists them without importing the commands."""

HELP = {
    "Make data": {
        "tree": "Build the full game tree, with its positions, classes and moves.",
        "build": "Build every table of a game that is missing or stale.",
        "games": "List known, built and solved games with their sizes and tables.",
    },
    "Ask": {
        "show": "Draw a position and show its value, its class and the value of each move.",
        "best": "Print the best moves of a position, and the result that they lead to.",
        "query": "Run a built-in report over the tables, or list the reports.",
        "sql": "Run SQL of your own over the tables, without access to files or network.",
        "views": "Print SQL that makes the views of a game in a DuckDB of your own.",
        "explore": "Show games as a page, from a server on this machine; Ctrl-C ends it.",
        "mcp": "Serve values, reviews and SQL to a language model, as an MCP server.",
    },
    "Judge": {
        "audit": "Judge an AI in every position: whether it solves the game, and where it fails.",
        "match": "Let AIs play: N games with the first as circle, and N with the first as cross.",
        "play": "Play against an AI in the terminal, with undo, hints, and a review at the end.",
        "ais": "List the built-in AIs with their rules, and those that audits have saved.",
        "gtp": "Play, and answer questions about positions, as a GTP engine.",
        "review": "Judge the players of recorded games: by their moves, and by their results.",
        "items": "Write positions as questions for language models, with answers, as JSON lines.",
        "grade": "Grade what a language model replied to items: its moves, and how twins differ.",
    },
    "Search": {
        "search": "Search a position, and compare its nodes with each built-in ordering.",
        "compare": "Count the nodes of every search technique on a game, and keep them.",
        "book": "Search the first positions of a game, and keep their answers for later.",
    },
    "Solve": {
        "solve": "Store the value of every class of a larger game: up to 25 cells, more with "
        "gravity.",
        "prove": "Find the smallest sets of classes that prove a game's value, and keep them.",
        "export": "Write the values of a solved game as one file, for other programs or to save "
        "space.",
    },
    "Publish": {
        "publish": "Write built and solved games as a folder for a data hub, with all that "
        "describes them.",
        "site": "Write the page and its data as a static site, for any file host.",
    },
    "Check": {
        "verify": "Name every damaged, missing, stale, unknown or different file; exit 1 when "
        "there is one.",
        "check": "Verify the files, then derive the tables again in SQL; exit 1 with "
        "counterexamples.",
        "anchors": "Compare every number published elsewhere with the data; exit 1 when one "
        "differs.",
        "conform": "Check a board class of your own against every law; exit 1 when it breaks one.",
        "conform-env": "Compare an environment of another package with the rules; exit 1 when "
        "they differ.",
        "bench": "Measure speed and assert the answers.",
    },
}  # fmt: skip
"""The lines by the titles of their groups. A test compares them with the docstrings."""
