"""AIs that are right only in part, to audit: each says where it is wrong, slow or silent."""

from tests.helpers.slow.slow_ais import mark_to_move
from tests.helpers.slow.slow_figures import best_moves, number_of, plies_lost, representative

Chances = dict[int, float]


def _chances(weights: dict[int, int]) -> Chances:
    """Return the chances of moves with weights."""
    return {move: weight / sum(weights.values()) for move, weight in weights.items()}


def best_in_representatives(board: str, legal: list[int]) -> list[int]:
    """Take best moves in representatives, the first cell elsewhere."""
    return list(best_moves(board)) if board == representative(board) else legal[:1]


def wrong_in_one_member(board: str, legal: list[int]) -> int | list[int]:
    """Take best moves but on one board, which is no representative."""
    return 1 if board == "..o......" else list(best_moves(board))


def right_up_to_turns(board: str, legal: list[int]) -> list[int]:
    """Take best moves in representatives and their rotations, the first cell elsewhere."""
    turned = representative(board)
    for _ in range(4):
        if board == turned:
            return list(best_moves(board))
        turned = "".join(turned[3 * (2 - x) + y] for y in range(3) for x in range(3))
    return legal[:1]


def weighs_all(board: str, legal: list[int]) -> Chances:
    """Give best moves nine times the weight of others."""
    return _chances({move: 9 if move in best_moves(board) else 1 for move in legal})


def weighs_outside(board: str, legal: list[int]) -> Chances | list[int]:
    """Take best moves in representatives; elsewhere, weigh every move by its cell."""
    if board == representative(board):
        return list(best_moves(board))
    return _chances({move: 1 + move for move in legal})


def silent_in_some(board: str, legal: list[int]) -> list[int] | None:
    """Give no move in every fifth board."""
    return None if number_of()[board] % 5 == 0 else list(best_moves(board))


def raises_in_mirrors(board: str, legal: list[int]) -> list[int]:
    """Raise in every third board, unless it is a representative."""
    if number_of()[board] % 3 == 0 and board != representative(board):
        raise KeyError("no such opening")
    return list(best_moves(board))


def perfect_for_circle(board: str, legal: list[int]) -> list[int]:
    """Take best moves as circle, the last cell as cross."""
    return list(best_moves(board)) if mark_to_move(board) == "o" else legal[-1:]


def slow(board: str, legal: list[int]) -> int:
    """Win as late, and lose as soon, as it can without a blunder."""
    return max(best_moves(board), key=lambda move: plies_lost(board, move))


def slow_by_chance(board: str, legal: list[int]) -> Chances:
    """Take the slowest best move three times of four, any other best move else."""
    latest = slow(board, legal)
    return _chances({move: 3 if move == latest else 1 for move in best_moves(board)})


def hardly_ever_wrong(board: str, legal: list[int]) -> Chances:
    """Give moves that lose score a chance that percents round to 0."""
    return _chances({move: 10**5 if move in best_moves(board) else 1 for move in legal})


def illegal_beside_best(board: str, legal: list[int]) -> list[int]:
    """Take best moves, and a cell that is filled."""
    return [*best_moves(board), *(cell for cell in range(9) if cell not in legal)]
