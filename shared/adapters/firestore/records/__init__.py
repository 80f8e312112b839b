"""How each kind of record is written to Firestore; a module registers its mappings with `writes_of`."""
