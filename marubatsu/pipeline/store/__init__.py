"""Tables on disk: declared, encoded, hashed, published together or not at all."""
