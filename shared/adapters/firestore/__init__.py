"""Firestore through its official client: a module for each caller; paths, layout, queries beside them."""
