"""Making of files that people sent what a model takes: pure functions from bytes to bytes, one module per family."""
