// The message for a reader who opens the page as a file: browsers load no modules from there. This is a
// plain script, which they do load.

const board = document.getElementById('board');
if (location.protocol === 'file:' && !board) {
  location.replace('../index.html'); // from the page in proof/
} else if (location.protocol === 'file:') {
  // eslint-disable-next-line no-restricted-syntax -- The text is constant, and el() is in a module.
  board.innerHTML = `
    <p class="error" role="alert">This page needs a host for its files. Run <code>python3 -m http.server --bind 127.0.0.1</code>
    in this folder, then open <a href="http://127.0.0.1:8000/">http://127.0.0.1:8000/</a>; or run <code>marubatsu explore</code>.</p>
    <p class="error" lang="ja">このページの表示には、ファイルを配信するサーバーが必要です。このフォルダーで <code>python3 -m http.server --bind 127.0.0.1</code> を実行して
    <a href="http://127.0.0.1:8000/">http://127.0.0.1:8000/</a> を開くか、<code>marubatsu explore</code> を実行してください。</p>`;
}
