"""Whole games in verifiers: a program of its own, which `test_outside_training` runs.

The model is an HTTP server here, which replies with the first empty cell. The chat program runs in
this process, because the one of verifiers would install packages. The episodes are kept as an
evaluation keeps them.
"""

import asyncio
import json
import os
import re
import sys
from contextlib import closing
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import verifiers.v1 as vf
from verifiers.v1.dialects.chat import message_to_wire
from verifiers.v1.utils.loaders import load_environment, resolve_env_config
from verifiers.v1.utils.trace_store import write_episode

__all__ = ["Chat"]

KEY = "KEY_OF_NO_MODEL"
ROW = re.compile(r"^(\d) ([.OX]) ([.OX]) ([.OX])$", re.MULTILINE)


class FirstEmptyCell(BaseHTTPRequestHandler):
    """A model that replies with the first empty cell of the board in the last question."""

    def do_POST(self) -> None:
        """Answer as a chat model does."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        rows = ROW.findall(json.dumps(asked["messages"][-1]["content"]).replace("\\n", "\n"))
        cells = ("abc"[i] + name for name, *marks in rows for i in range(3) if marks[i] == ".")
        choice = {"role": "assistant", "content": f"move: {next(cells)}"}
        body = json.dumps({
            "id": "1", "object": "chat.completion", "created": 0, "model": "first",
            "choices": [{"index": 0, "finish_reason": "stop", "message": choice}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }).encode()  # fmt: skip
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


class Chat(vf.Harness[vf.HarnessConfig]):  # type: ignore[misc]
    """One request a turn."""

    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False
    APPENDS_SYSTEM_PROMPT = True

    async def launch(
        self, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, *others: Any
    ) -> Any:
        """Send the conversation so far."""
        messages = [message_to_wire(each) for each in others[-1].prompt]
        body = json.dumps({"model": ctx.model, "messages": messages}).encode()
        headers = {"content-type": "application/json", "authorization": f"Bearer {secret}"}

        def send() -> None:
            address = urlsplit(endpoint)
            with closing(HTTPConnection(address.netloc)) as connection:
                connection.request("POST", f"{address.path}/chat/completions", body, headers)
                connection.getresponse().read()

        await asyncio.to_thread(send)
        return vf.ProgramResult(0, "", "")


async def main() -> None:
    """Print the rewards of each game, as JSON lines; keep the episodes in a folder."""
    folder = Path(sys.argv[1])
    server = ThreadingHTTPServer(("127.0.0.1", 0), FirstEmptyCell)
    Thread(target=server.serve_forever, daemon=True).start()
    os.environ[KEY] = "none"
    address = f"http://127.0.0.1:{server.server_port}"
    client = vf.EvalClientConfig(base_url=address, api_key_var=KEY)
    seat = {"harness": {"id": "verifiers_games"}, "runtime": {"type": "subprocess"}}
    for opponent in ("perfect", "ai2", "self"):
        config = {
            "taskset": {"id": "marubatsu-games", "num_tasks": 4},
            "opponent": opponent,
            "circle": seat,
            "cross": seat,
        }
        env = load_environment(resolve_env_config(config))
        async with env.serving():
            for task in env.taskset:
                context = vf.ModelContext(
                    model="first", client=client, sampling=vf.SamplingConfig()
                )
                episode = await env.run_episode(task, context)
                assert episode.ok, episode.errors
                write_episode(folder, episode)
                rewards = {
                    trace.agent.name: {name: each.score for name, each in trace.rewards.items()}
                    for trace in episode.traces
                }
                print(json.dumps([opponent, task.data.side, rewards]))


if __name__ == "__main__":
    asyncio.run(main())
