"""Preview: what people see of an answer while it is written."""
