"""Tools that answer the model while it plans.

Each tool is a module with a `TOOL`; a feature's tools are in its `tools`.
"""
