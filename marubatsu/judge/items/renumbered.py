"""Items whose replies name moves in another numbering than the questions ask for."""

from dataclasses import replace

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.numbering import move_text, numbering_of
from marubatsu.judge.items.naming import Form
from marubatsu.judge.items.question import Notation, label
from marubatsu.judge.items.replies import AnswerKey
from marubatsu.pipeline.support.errors import OptionError


def renumbered(item: AnswerKey, numbering: str) -> AnswerKey:
    """Return an item with its moves as a numbering writes them.

    Raises InputError for no numbering of its game, OptionError for one whose moves are pairs, and
    UsageError, which names the line, for an item of another game or form.
    """
    chosen = numbering_of(numbering)
    try:
        game, form, notation = Game(item.game), Form(item.form), Notation(item.notation)
    except ValueError as error:
        raise item.place.fault(f"the item has no known game, form and notation: {error}") from None
    texts = [move_text(game, cell, chosen) for cell in range(game.cells)]
    if "," in texts[0]:
        raise OptionError("numbering", numbering, "expected one whose moves are a number or a name")
    labels = [label(game, notation, form.naming, cell) for cell in range(game.cells)]
    cells = dict(zip(labels, texts, strict=True))
    unknown = next((move for move in item.losses if move not in cells), None)
    if unknown is not None:
        raise item.place.fault(f"{quote(unknown)} is no cell of {game.name} in this item")
    return replace(item, losses={cells[move]: loss for move, loss in item.losses.items()})
