"""Tools: what answers the model while it plans. Each is one module, with its `TOOL`; features have theirs in `tools`."""
