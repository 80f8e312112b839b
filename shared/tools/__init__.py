"""Tools: functions that the model may call while it plans. In the folders `tools`, each module with a `TOOL` is one."""
