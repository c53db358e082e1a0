"""The terms of other frameworks: their agents judged by us, our oracle in their clothes."""
