"""Tools: functions that the model may call while it plans. Each is the `TOOL` of a module in a folder `tools`."""
