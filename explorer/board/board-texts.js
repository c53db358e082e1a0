// The texts of the left side in every language.

import { addTexts } from '../words/i18n.js';

addTexts({
  en: {
    'board.side': 'The game', 'board.grid': 'Board: arrow keys move, Enter plays', 'board.gridpad': 'Board: arrow keys move, Enter plays, digits play like a number pad',
    'board.cell': '{cell}: {what}', 'board.taken': 'this cell is taken.', 'board.nomove': 'this cell cannot be played now.', 'board.over': 'the game is over.',
    'board.empty': 'empty', 'board.o': 'circle', 'board.x': 'cross', 'board.last': 'the last move', 'board.winning': 'in the line',
    'board.leads.1': 'circle wins', 'board.leads.0': 'a draw', 'board.leads.-1': 'cross wins', 'board.leads.unknown': 'value unknown', 'board.worth': '{what} in {distance}',
    'board.undo': 'Undo', 'board.redo': 'Redo', 'board.new': 'New game', 'board.previous': 'Step back', 'board.next': 'Step forward', 'board.hints': 'Hints',
    'board.back': 'Take it back', 'board.again': 'Play again', 'board.share': 'Share', 'board.more': 'More', 'board.seed': 'Seed of the AIs',
    'board.asking': 'Asking for the value…', 'board.let': 'Let {ai} play', 'board.pause': 'Pause',
    'board.replay': 'Move shown', 'board.step': 'Move {at} of {all}', 'board.sofar': 'The moves so far', 'board.moved': '{shown}, move {at}. {said}',
    'board.save': 'Save', 'board.load': 'Load', 'board.link': 'Copy link', 'board.copied': 'The link is copied.', 'board.linked': 'The link: {link}',
    'board.unknown': 'Play cannot reach {text}.', 'board.nofile': 'This file holds no saved game of {name}.',
    'kind.forced': 'forced move', 'kind.only': 'only move', 'kind.best': 'best move', 'kind.mistake': 'mistake', 'kind.blunder': 'blunder', 'kind.unknown': 'value unknown',
    'kind.gives': 'it turns {before} into {after}', 'kind.score.1': 'a win', 'kind.score.0': 'a draw', 'kind.score.-1': 'a loss', 'kind.score.null': 'an unknown value',
  },
  ja: {
    'board.side': '対局', 'board.grid': '盤面：矢印キーで移動、Enter で着手', 'board.gridpad': '盤面：矢印キーで移動、Enter で着手、数字キーはテンキーの位置に着手',
    'board.cell': '{cell}：{what}', 'board.taken': 'このマスは埋まっています。', 'board.nomove': 'このマスには今は着手できません。', 'board.over': '対局は終わっています。',
    'board.empty': '空き', 'board.o': '〇', 'board.x': '×', 'board.last': '直前の着手', 'board.winning': '完成した並びの一部',
    'board.leads.1': '〇の勝ち', 'board.leads.0': '引き分け', 'board.leads.-1': '×の勝ち', 'board.leads.unknown': '評価値は不明', 'board.worth': '{distance} 手で{what}',
    'board.undo': '待った', 'board.redo': 'やり直す', 'board.new': '新しい対局', 'board.previous': '1 手戻る', 'board.next': '1 手進む', 'board.hints': 'ヒント',
    'board.back': '待った', 'board.again': 'もう一度', 'board.share': '共有', 'board.more': 'その他', 'board.seed': 'AI の乱数の種',
    'board.asking': '評価値を問い合わせ中…', 'board.let': '{ai} に着手させる', 'board.pause': '一時停止',
    'board.replay': '表示する手', 'board.step': '{all} 手中 {at} 手目', 'board.sofar': 'これまでの手順', 'board.moved': '{shown}、{at} 手目。{said}',
    'board.save': '保存', 'board.load': '読み込み', 'board.link': 'リンクをコピー', 'board.copied': 'リンクをコピーしました。', 'board.linked': 'リンク：{link}',
    'board.unknown': '{text} に至る対局はありません。', 'board.nofile': 'このファイルには {name} の対局が保存されていません。',
    'kind.forced': '唯一の合法手', 'kind.only': '唯一の最善手', 'kind.best': '最善手', 'kind.mistake': '悪手', 'kind.blunder': '大悪手', 'kind.unknown': '評価値は不明',
    'kind.gives': '{before} → {after}', 'kind.score.1': '勝ち', 'kind.score.0': '引き分け', 'kind.score.-1': '負け', 'kind.score.null': '不明',
  },
});
