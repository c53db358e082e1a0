// The texts of the pane of data in every language.

import { addTexts } from '../words/i18n.js';

addTexts({
  en: {
    'sql.query': 'One statement of SQL that reads (Ctrl+Enter runs it)',
    'sql.run': 'Run', 'sql.cancel': 'Cancel', 'sql.help': 'How it is limited', 'sql.sort': 'Sort by {column}', 'sql.limits': 'At most 1,000 rows and 10 MB, for at most 10 s and 500 MB of memory. The statement reads the tables only: no files, no network.',
    'sql.reports': 'Shipped reports', 'sql.report': 'choose one to see its answer', 'sql.grain': 'One row: {grain}.',
    'sql.unknown': 'There is no report {report}.',
    'sql.running': 'Running for {seconds} s', 'sql.cancelled': 'Cancelled after {seconds} s.', 'sql.empty': 'There is no statement yet.',
    'sql.unreachable': 'The server does not answer: is it still running?',
    'sql.static': 'These are files without a server, so no SQL runs here. Download the tables, or run marubatsu explore.',
    'sql.result': 'Result of the query', 'sql.rows': '{rows} {rows|row|rows} in {seconds} s', 'sql.answer': '{rows} {rows|row|rows}',
    'sql.cut': 'The server left out the rows after these {rows}; this is not all of the answer.',
    'sql.more': 'Show more rows ({left} left)', 'sql.download': 'Download as CSV',
    'sql.tables': 'Tables: schemas and Parquet files', 'sql.table': '{rows} {rows|row|rows}, {size} in {files} {files|file|files}', 'sql.look': 'Put a query of it into the box',
    'sql.column': 'column', 'sql.type': 'type', 'sql.null': 'null', 'sql.may': 'may be', 'sql.meaning': 'meaning', 'sql.key': 'key', 'sql.refers': 'each value is one of {table}.{column}',
    'sql.columns': 'Columns of {name}', 'sql.bytes': '{bytes} bytes', 'sql.kilobytes': '{kilobytes} kB',
    'sql.chart': 'Chart', 'sql.chart.none': 'none', 'sql.chart.bar': 'bars', 'sql.chart.line': 'line', 'sql.chart.of': 'Of', 'sql.chart.values': 'Values',
    'sql.chart.title': '{y} by {x}', 'sql.chart.cut': 'The chart shows the first {shown} of {all} {all|row|rows}.', 'sql.chart.nothing': 'No row has numbers to draw.',
  },
  ja: {
    'sql.query': '読み取り専用の SQL 文を一つ入力（Ctrl+Enter で実行）',
    'sql.run': '実行', 'sql.cancel': '中止', 'sql.help': '制限について', 'sql.sort': '{column} で並べ替え', 'sql.limits': '1,000 行、10 MB、10 秒、メモリ 500 MB までです。SQL 文が読めるのはテーブルだけで、ファイルとネットワークは使えません。',
    'sql.reports': '付属のレポート', 'sql.report': '選ぶと結果を表示します', 'sql.grain': '1 行の単位：{grain}',
    'sql.unknown': '{report} というレポートはありません。',
    'sql.running': '実行中：{seconds} 秒', 'sql.cancelled': '{seconds} 秒で中止しました。', 'sql.empty': 'SQL 文がまだありません。',
    'sql.unreachable': 'サーバーから応答がありません。起動しているか確認してください。',
    'sql.static': 'サーバーのない静的なページなので、SQL は実行できません。テーブルをダウンロードするか、marubatsu explore を実行してください。',
    'sql.result': '問い合わせの結果', 'sql.rows': '{rows} 行（{seconds} 秒）', 'sql.answer': '{rows} 行',
    'sql.cut': 'サーバーが返したのは最初の {rows} 行だけです。結果の全体ではありません。',
    'sql.more': '続きの行を表示（残り {left} 行）', 'sql.download': 'CSV をダウンロード',
    'sql.tables': 'テーブルの列と Parquet ファイル', 'sql.table': '{rows} 行、{size}、{files} ファイル', 'sql.look': 'このテーブルの SQL 文を入力欄に入れる',
    'sql.column': '列', 'sql.type': '型', 'sql.null': 'null', 'sql.may': 'あり', 'sql.meaning': '意味', 'sql.key': 'キー', 'sql.refers': '値は {table}.{column} のどれか',
    'sql.columns': '{name} の列', 'sql.bytes': '{bytes} バイト', 'sql.kilobytes': '{kilobytes} kB',
    'sql.chart': 'グラフ', 'sql.chart.none': 'なし', 'sql.chart.bar': '棒', 'sql.chart.line': '折れ線', 'sql.chart.of': '横軸', 'sql.chart.values': '値',
    'sql.chart.title': '{x} ごとの {y}', 'sql.chart.cut': 'グラフに表示しているのは、{all} 行のうち最初の {shown} 行です。', 'sql.chart.nothing': 'グラフにできる数値の行がありません。',
  },
});
