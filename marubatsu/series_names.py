"""Names of the tutorial series that people look for in `marubatsu`, and what is there instead."""

_PAGE = "run the command marubatsu explore"
_BOARDS = "run the command marubatsu bench boards, which compares all boards"
_TREE = "its nodes are the tables of marubatsu.tables('tictactoe'), tree_bfs and tree_dfs"

_AIS = [*(f"ai{number}" for number in range(1, 8)), *(f"ai{number}s" for number in range(1, 15))]
_RULES = "call marubatsu.answer('o...x...o'), which has the status and the moves"
_BEST = "its moves are those of the AIs perfect, perfect_sv and perfect_svrd"

INSTEAD = {
    "Marubatsu": "an AI that takes one is asked by the option interface='series', and a position "
    "is a text, as in marubatsu.answer('o...x...o')",
    "Marubatsu_GUI": _PAGE,
    "gui_play": _PAGE,
    "Mbtree_GUI": _PAGE,
    "Mbtree_Anim": _PAGE,
    "Mbtree": _TREE,
    "Node": _TREE,
    "create_tree_by_bf": _TREE,
    "create_tree_by_df": _TREE,
    "Board": _BOARDS,
    "ListBoard": _BOARDS,
    "List1dBoard": _BOARDS,
    "NpBoard": _BOARDS,
    "BitBoard": _BOARDS,
    "Markpat": "an AI that counts lines by it is asked by the option interface='series'",
    "benchmark": _BOARDS,
    "ai_match": "call marubatsu.match('ai14s', 'ai2')",
    "ai_gt1": _BEST,
    "ai_by_score": "call marubatsu.evaluation(function), which makes an AI",
    "ai_abs_all": "call marubatsu.search('alphabeta')",
    "ai_abs_dls": "call marubatsu.search('depth_limited', max_depth=8, evaluation='ai14s')",
    "ai_mmdfs": "call marubatsu.search('minimax')",
    "ai_scout": "call marubatsu.search('scout')",
    "load_mblist": "see marubatsu.tables('tictactoe').critical_classes",
    "load_bestmoves": "the table positions has best_moves: marubatsu.tables('tictactoe')",
    "calc_same_boardtexts": "see marubatsu.tables('tictactoe').symmetry_cells",
    "is_winner": _RULES,
    "calc_legal_moves": _RULES,
    "Check_solved": "call marubatsu.audit('ai14s')",
    **dict.fromkeys(_AIS, "an AI is named by a text, as in marubatsu.audit('ai14s')"),
}
"""What to do instead, by the name in the series."""


def message(name: str) -> str:
    """Say what there is instead of a name that `marubatsu` lacks."""
    if name not in INSTEAD:
        return f"module 'marubatsu' has no attribute {name!r}"
    return (
        f"marubatsu has no {name} of the tutorial series: {INSTEAD[name]}; docs/series-names.md "
        "has all names"
    )
