// The texts of the pane of data in every language.

import { addTexts } from '../words/i18n.js';

addTexts({
  'sql.query': ['One statement of SQL that reads (Ctrl+Enter runs it)', '読み取り専用の SQL 文を一つ入力（Ctrl+Enter で実行）'], 'sql.run': ['Run', '実行'],
  'sql.cancel': ['Cancel', '中止'], 'sql.help': ['How it is limited', '制限について'], 'sql.sort': ['Sort by {column}', '{column} で並べ替え'],
  'sql.limits': ['At most 1,000 rows and 10 MB, for at most 10 s and 500 MB of memory. The statement reads the tables only: no files, no network.', '1,000 行、10 MB、10 秒、メモリ 500 MB までです。SQL 文が読めるのはテーブルだけで、ファイルとネットワークは使えません。'],
  'sql.reports': ['Shipped reports', '付属のレポート'], 'sql.report': ['choose one to see its answer', '選ぶと結果を表示します'],
  'sql.grain': ['One row: {grain}.', '1 行の単位：{grain}'], 'sql.unknown': ['There is no report {report}.', '{report} というレポートはありません。'],
  'sql.running': ['Running for {seconds} s', '実行中：{seconds} 秒'], 'sql.cancelled': ['Cancelled after {seconds} s.', '{seconds} 秒で中止しました。'],
  'sql.empty': ['There is no statement yet.', 'SQL 文がまだありません。'],
  'sql.unreachable': ['The server does not answer: is it still running?', 'サーバーから応答がありません。起動しているか確認してください。'],
  'sql.static': ['These are files without a server, so no SQL runs here. Download the tables, or run marubatsu explore.', 'サーバーのない静的なページなので、SQL は実行できません。テーブルをダウンロードするか、marubatsu explore を実行してください。'],
  'sql.result': ['Result of the query', '問い合わせの結果'], 'sql.rows': ['{rows} {rows|row|rows} in {seconds} s', '{rows} 行（{seconds} 秒）'],
  'sql.answer': ['{rows} {rows|row|rows}', '{rows} 行'],
  'sql.cut': ['The server left out the rows after these {rows}; this is not all of the answer.', 'サーバーが返したのは最初の {rows} 行だけです。結果の全体ではありません。'],
  'sql.more': ['Show more rows ({left} left)', '続きの行を表示（残り {left} 行）'], 'sql.download': ['Download as CSV', 'CSV をダウンロード'],
  'sql.tables': ['Tables: schemas and Parquet files', 'テーブルの列と Parquet ファイル'],
  'sql.table': ['{rows} {rows|row|rows}, {size} in {files} {files|file|files}', '{rows} 行、{size}、{files} ファイル'],
  'sql.look': ['Put a query of it into the box', 'このテーブルの SQL 文を入力欄に入れる'], 'sql.column': ['column', '列'], 'sql.type': ['type', '型'], 'sql.null': ['null', 'null'],
  'sql.may': ['may be', 'あり'], 'sql.meaning': ['meaning', '意味'], 'sql.key': ['key', 'キー'],
  'sql.refers': ['each value is one of {table}.{column}', '値は {table}.{column} のどれか'], 'sql.columns': ['Columns of {name}', '{name} の列'],
  'sql.bytes': ['{bytes} bytes', '{bytes} バイト'], 'sql.kilobytes': ['{kilobytes} kB', '{kilobytes} kB'], 'sql.chart': ['Chart', 'グラフ'], 'sql.chart.none': ['none', 'なし'],
  'sql.chart.bar': ['bars', '棒'], 'sql.chart.line': ['line', '折れ線'], 'sql.chart.of': ['Of', '横軸'], 'sql.chart.values': ['Values', '値'],
  'sql.chart.title': ['{y} by {x}', '{x} ごとの {y}'],
  'sql.chart.cut': ['The chart shows the first {shown} of {all} {all|row|rows}.', 'グラフに表示しているのは、{all} 行のうち最初の {shown} 行です。'],
  'sql.chart.nothing': ['No row has numbers to draw.', 'グラフにできる数値の行がありません。'],
});
