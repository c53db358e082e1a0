"""Tools for maintainers: generators of documents, benchmarks, screenshots."""
