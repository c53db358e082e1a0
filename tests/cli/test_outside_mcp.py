"""The command `marubatsu mcp`, asked by the real client library, which is installed apart.

`make outside` runs this: it sets MARUBATSU_OUTSIDE.
"""

from pathlib import Path

from tests.helpers.frameworks.installed_apart import FRAMEWORKS, Apart, outside, run_with

SESSION = """
import json, os, sys
import anyio
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

async def main():
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "marubatsu", "mcp"], env=dict(os.environ))
    async with stdio_client(command) as (read, write), ClientSession(read, write) as session:
        about = await session.initialize()
        assert about.server_info.name == "marubatsu"
        tools = (await session.list_tools()).tools
        assert [each.name for each in tools] == [
            "games", "evaluate", "best_moves", "review", "sql"]
        for each in tools:
            assert len(each.description) > 200, each

        async def ask(tool, **arguments):
            answer = await session.call_tool(tool, arguments)
            text = answer.content[0].text
            return text if answer.is_error else json.loads(text)

        answer = await ask("evaluate", position="o...x...o")
        assert (answer["score"], answer["distance"], answer["turn"]) == (0, 6, "cross")
        answer = await ask("best_moves", position="o........")
        assert (answer["best_moves"], answer["cells"]) == (["b2"], [4])
        answer = await ask("review", moves="b2 b3 a3 c1 a2 a1 c2")
        assert (answer["result"], answer["sides"]["cross"]["mistakes"]) == ("circle", [2])
        answer = await ask("sql", query="select count(*) from positions")
        assert answer == {"columns": ["count_star()"], "rows": [[5478]], "more": False}
        answer = await ask("games")
        assert answer["games"][0]["name"] == "tictactoe"
        answer = await ask("best_moves", position="d1", game="6x4k3-gravity")
        assert answer["best_moves"]
        for tool, arguments, part in (
            ("evaluate", {"position": "oox"}, "expected 9 cells of '.ox' for tictactoe, got 3"),
            ("sql", {"query": "from read_csv('/etc/passwd')"}, "SQL reads no files here"),
            ("review", {"moves": "z9"}, "z9"),
            ("best_moves", {"position": "a1", "game": "oops"}, "oops"),
        ):
            assert part in await ask(tool, **arguments), (tool, await ask(tool, **arguments))
    print("a session of", len(tools), "tools")

anyio.run(main)
"""


@outside
def test_a_client_asks_every_tool(apart: Apart, tmp_path: Path) -> None:
    folder = apart.packages(*FRAMEWORKS["mcp"])
    done = run_with(folder, "-c", SESSION, MARUBATSU_DATA=str(tmp_path))
    assert done.returncode == 0, done.stderr + done.stdout
    print(done.stdout)
