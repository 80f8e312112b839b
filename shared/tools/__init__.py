"""Tools that answer the model while it plans. Each is a module with a `TOOL`; features have theirs in `tools`."""
