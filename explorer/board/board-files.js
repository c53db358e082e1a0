// A game as a file of the reader, and all that is shown as a link.

import { save } from '../elements/dom.js';
import { GameRecord } from '../state/record.js';
import { t } from '../words/i18n.js';
import { lineText } from '../words/moves.js';

/** Hand a game to the reader as a file. */
export function saveGame(record, seats) {
  const text = JSON.stringify(record.toSave(seats), null, 1);
  save(`${text}\n`, 'application/json', `${record.game.name}-${lineText(record.game, record.cells, '') || 'start'}.json`);
}

/** Read a file: the record of its game, and what was saved; undefined when it holds no such game. */
export async function readGame(game, file) {
  try {
    const saved = JSON.parse(await file.text());
    const record = await GameRecord.fromSaved(game, saved);
    return record && { record, saved };
  } catch {
    return undefined;
  }
}

/** Copy a link to all that the page shows; return what is to be said. */
export async function copyLink() {
  const link = location.href;
  try {
    await navigator.clipboard.writeText(link);
    return t('board.copied');
  } catch {
    return t('board.linked', { link }); // Copying may be forbidden.
  }
}
