"""Tools: what answers the model while it plans. Each is a module with its `TOOL`; features have theirs in `tools`."""
