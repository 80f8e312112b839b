"""Tools: what answers the model while it plans. Each is one module, with its `TOOL`; a package below helps some."""
