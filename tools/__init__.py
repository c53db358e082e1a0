"""What maintainers run: generators of documents, benchmarks, screenshots."""
