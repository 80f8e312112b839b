"""Planning: from a prompt to a plan. The model's answers may be malformed."""
