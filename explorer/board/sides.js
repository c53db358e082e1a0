// The sides of a game, and who may play them besides AIs.

export const SIDES = ['circle', 'cross'];
export const MARKS = { circle: '〇', cross: '×' };
export const PERSON = 'person';
