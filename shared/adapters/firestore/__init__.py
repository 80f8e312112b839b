"""Firestore through its official client: one module per port, the layout and the queries beside them."""
