"""Schemas of JSON that we publish, as tests."""

import json
import sys
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from tools.generators.run_pages import CHECKOUT

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator


def validator_of(schema: Mapping[str, Any]) -> "Draft202012Validator":
    """Return what tests whether JSON has a schema, which is one."""
    # Parsers of addresses, which no schema of ours names, take three seconds to make.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # as if not there
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@cache
def _validator() -> "Draft202012Validator":
    path = CHECKOUT / "docs/audit.schema.json"
    return validator_of(json.loads(path.read_text(encoding="utf-8")))


def complaints(audit: Any) -> list[str]:
    """Return how an audit differs from its schema; of a long list, its first and last rows."""
    shown = {
        name: [*part[:20], *part[-20:]] if isinstance(part, list) and len(part) > 40 else part
        for name, part in audit.items()
    }
    return [f"{error.json_path}: {error.message}" for error in _validator().iter_errors(shown)]
