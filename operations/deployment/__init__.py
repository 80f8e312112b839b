"""Deploying lull and taking it away again: `make deploy`, `make register`, `make destroy`."""
