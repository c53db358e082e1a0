"""The published schema of an audit's JSON, as a test."""

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from tools.generators.run_pages import CHECKOUT


@cache
def _validator() -> Draft202012Validator:
    schema = json.loads((CHECKOUT / "docs/audit.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def complaints(audit: Any) -> list[str]:
    """Return how an audit differs from its schema; of a long list, its first and last rows."""
    shown = {
        name: [*part[:20], *part[-20:]] if isinstance(part, list) and len(part) > 40 else part
        for name, part in audit.items()
    }
    return [f"{error.json_path}: {error.message}" for error in _validator().iter_errors(shown)]
