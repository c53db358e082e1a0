"""A stand-in for a language model: it reads items, one a line, and writes its replies.

Grade it: marubatsu grade items.jsonl replies.jsonl
"""

import json
import sys


def ask(question: str) -> str:
    """Return what a model replies; this one has learned one sentence by heart."""
    return "The centre of the board is strong.\nmove: b2"


for line in sys.stdin:
    item = json.loads(line)
    print(json.dumps({"id": item["id"], "reply": ask(item["question"])}))
