"""Tools: functions that the model may call while it plans. Each module with a `TOOL` in a folder `tools` is one."""
