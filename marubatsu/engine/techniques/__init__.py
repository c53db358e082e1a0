"""Search techniques of the field on bitboards, compiled: what each of them costs in nodes."""
