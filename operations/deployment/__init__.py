"""Deploys and removes lull: `make deploy`, `make register`, `make destroy`."""
