"""Planning: ask the model to answer a conversation, and read its reply as a plan. The reply may be malformed."""
