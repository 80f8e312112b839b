"""Tools that answer the model while it plans: modules with a `TOOL`. A feature's tools are in its folder `tools`."""
