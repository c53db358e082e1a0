// The texts of the left side in every language.

import { addTexts } from '../words/i18n.js';

addTexts({
  'board.side': ['The game', '対局'], 'board.grid': ['Board: arrow keys move, Enter plays', '盤面：矢印キーで移動、Enter で着手'],
  'board.gridpad': ['Board: arrow keys move, Enter plays, digits play like a number pad', '盤面：矢印キーで移動、Enter で着手、数字キーはテンキーの位置に着手'],
  'board.cell': ['{cell}: {what}', '{cell}：{what}'], 'board.taken': ['this cell is taken.', 'このマスは埋まっています。'],
  'board.nomove': ['this cell cannot be played now.', 'このマスには今は着手できません。'], 'board.over': ['the game is over.', '対局は終わっています。'],
  'board.empty': ['empty', '空き'], 'board.o': ['circle', '〇'], 'board.x': ['cross', '×'], 'board.last': ['the last move', '直前の着手'],
  'board.winning': ['in the line', '完成した並びの一部'], 'board.leads.1': ['circle wins', '〇の勝ち'], 'board.leads.0': ['a draw', '引き分け'],
  'board.leads.-1': ['cross wins', '×の勝ち'], 'board.leads.unknown': ['value unknown', '評価値は不明'], 'board.worth': ['{what} in {distance}', '{distance} 手で{what}'],
  'board.undo': ['Undo', '待った'], 'board.redo': ['Redo', 'やり直す'], 'board.new': ['New game', '新しい対局'], 'board.previous': ['Step back', '1 手戻る'],
  'board.next': ['Step forward', '1 手進む'], 'board.hints': ['Hints', 'ヒント'], 'board.back': ['Take it back', '待った'], 'board.again': ['Play again', 'もう一度'],
  'board.share': ['Share', '共有'], 'board.more': ['More', 'その他'], 'board.seed': ['Seed of the AIs', 'AI の乱数の種'],
  'board.asking': ['Asking for the value…', '評価値を問い合わせ中…'], 'board.let': ['Let {ai} play', '{ai} に着手させる'], 'board.pause': ['Pause', '一時停止'],
  'board.replay': ['Move shown', '表示する手'], 'board.step': ['Move {at} of {all}', '{all} 手中 {at} 手目'], 'board.sofar': ['The moves so far', 'これまでの手順'],
  'board.moved': ['{shown}, move {at}. {said}', '{shown}、{at} 手目。{said}'], 'board.save': ['Save', '保存'], 'board.load': ['Load', '読み込み'],
  'board.link': ['Copy link', 'リンクをコピー'], 'board.copied': ['The link is copied.', 'リンクをコピーしました。'], 'board.linked': ['The link: {link}', 'リンク：{link}'],
  'board.unknown': ['Play cannot reach {text}.', '{text} に至る対局はありません。'],
  'board.nofile': ['This file holds no saved game of {name}.', 'このファイルには {name} の対局が保存されていません。'], 'kind.forced': ['forced move', '唯一の合法手'],
  'kind.only': ['only move', '唯一の最善手'], 'kind.best': ['best move', '最善手'], 'kind.mistake': ['mistake', '悪手'], 'kind.blunder': ['blunder', '大悪手'],
  'kind.unknown': ['value unknown', '評価値は不明'], 'kind.gives': ['it turns {before} into {after}', '{before} → {after}'], 'kind.score.1': ['a win', '勝ち'],
  'kind.score.0': ['a draw', '引き分け'], 'kind.score.-1': ['a loss', '負け'], 'kind.score.null': ['an unknown value', '不明'],
});
