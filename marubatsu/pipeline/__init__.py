"""Everything that touches disk or processes."""
