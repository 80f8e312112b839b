"""Commands for the operator of lull: `python -m operations`, or `make incidents` and `make replay`."""
