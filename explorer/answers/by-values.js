// AIs that need no program, because the values of the moves say what they play.

/** For each AI: which moves it may choose, and what a move is worth to it when circle is to move. */
const AIS = {
  perfect: [({ is_best: isBest }) => isBest, ({ score }) => score],
  perfect_sv: [({ is_best_sv: isBest }) => isBest, ({ score_sv: score }) => score],
  ai2: [() => true, () => null],
};

/** What an AI makes of each legal move of an answer, by cell; see `choices` of a game. */
export function choicesByValues(ai, { turn, moves }) {
  const [mayPlay, worth] = AIS[ai];
  const sign = turn === 'circle' ? 1 : -1;
  const count = moves.filter(mayPlay).length;
  return moves.toSorted((one, other) => one.move - other.move).map((each) => {
    const score = worth(each);
    return { move: each.move, ai_score: score === null ? null : sign * score, is_candidate: mayPlay(each), probability: mayPlay(each) ? 1 / count : 0 };
  });
}
