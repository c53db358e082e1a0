"""The types of DuckDB that JSON lacks, and the cast that makes text of them."""

from typing import Any

_KEPT = {
    "null", "boolean", "tinyint", "smallint", "integer", "bigint", "hugeint", "utinyint",
    "usmallint", "uinteger", "ubigint", "uhugeint", "float", "double", "varchar",
}  # fmt: skip


def json_type(kind: Any) -> str:
    """Name, in SQL, the type nearest to a DuckDBPyType whose values JSON can hold.

    DuckDB writes dates, decimals and the like as text. Python has no infinite date and no interval
    of a million years.

    >>> from duckdb.sqltypes import DuckDBPyType
    >>> json_type(DuckDBPyType("STRUCT(a DATE, b INTEGER)[]"))
    'STRUCT("a" VARCHAR, "b" INTEGER)[]'
    """
    match kind.id:
        case "list":
            ((_, item),) = kind.children
            return f"{json_type(item)}[]"
        case "array":
            (_, item), (_, size) = kind.children
            return f"{json_type(item)}[{size}]"
        case "map" | "tuple":
            return f"{kind.id.upper()}({', '.join(json_type(item) for _, item in kind.children)})"
        case "struct" if kind.children:
            items = (f"{identifier(name)} {json_type(item)}" for name, item in kind.children)
            return f"STRUCT({', '.join(items)})"
        case name:
            return str(kind) if name in _KEPT else "VARCHAR"


def identifier(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'
