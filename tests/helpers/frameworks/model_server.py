"""A model as an HTTP server, which replies with the first empty cell of the board."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

_ROW = re.compile(r"^(\d) ([.OX]) ([.OX]) ([.OX])$", re.MULTILINE)
_ANSWER = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "first"}


class _FirstEmptyCell(BaseHTTPRequestHandler):
    """Chat completions, streamed as evaluators of models ask for them."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        rows = _ROW.findall(json.dumps(request["messages"][-1]["content"]).replace("\\n", "\n"))
        cells = ("abc"[i] + name for name, *marks in rows for i in range(3) if marks[i] == ".")
        delta = {"role": "assistant", "content": f"move: {next(cells)}"}
        events: list[dict[str, object]] = [
            {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
             "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}},
        ]  # fmt: skip
        lines = [*(json.dumps(_ANSWER | event) for event in events), "[DONE]"]
        body = "".join(f"data: {line}\n\n" for line in lines).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def model_server() -> Iterator[str]:
    """Serve the model on this machine; yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _FirstEmptyCell) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
