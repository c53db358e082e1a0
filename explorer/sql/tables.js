// The tables of the game: what a row and each column is, as the API describes them, and the Parquet
// files to download.

import { button, el, table, wide } from '../elements/dom.js';
import { language, number, t } from '../words/i18n.js';

/** Describe all tables of a game. `look(name)` is called when the reader wants to query one; without, nobody can. */
export async function drawTables(game, look) {
  const tables = await game.document('tables.json');
  return tables.map((each) => drawTable(each, game.path('tables/'), look));
}

function drawTable({ name, description, schema, files }, base, look) {
  const sum = (what) => files.reduce((all, file) => all + file[what], 0);
  const references = new Map((schema.foreignKeys ?? []).map(({ fields, reference }) => [fields[0], reference]));
  const caption = t('sql.columns', { name });
  const about = t('sql.table', { rows: number(sum('rows')), size: sizeOf(sum('bytes')), files: number(files.length) });
  return el('details', { class: 'schema', dataset: { table: name } },
    el('summary', {}, el('code', {}, name), ' ', el('span', { class: 'soft' }, about)),
    el('p', { lang: language() === 'en' ? null : 'en' }, description),
    el('p', { class: 'files' }, files.map((file) => [
      el('a', { href: `api/v2/${base}${file.path}`, download: file.path.replaceAll('/', '-'), title: sizeOf(file.bytes) }, file.path), ' ',
    ])),
    look && el('p', {}, button(t('sql.look'), () => look(name))),
    wide(caption,
      table(caption, ['column', 'type', 'null', 'meaning'].map((each) => t(`sql.${each}`)), schema.fields.map((field) => [
        el('span', {}, el('code', {}, field.name), schema.primaryKey?.includes(field.name) && [' ', el('span', { class: 'badge' }, t('sql.key'))]),
        field.arrowType, field.constraints?.required ? '' : t('sql.may'), meaningOf(field, references.get(field.name)),
      ]))));
}

/** What a column means, and the column whose values it has. */
const meaningOf = ({ description }, reference) => el('span', {},
  el('span', { lang: language() === 'en' ? null : 'en' }, description),
  reference && el('span', { class: 'soft' }, ` (${t('sql.refers', { table: reference.resource, column: reference.fields[0] })})`));

/** A number of bytes in few characters. */
const sizeOf = (bytes) => (bytes < 10_000 ? t('sql.bytes', { bytes: number(bytes) }) : t('sql.kilobytes', { kilobytes: number(Math.round(bytes / 1000)) }));
