"""Planning: from a prompt to a plan, by a model whose bad answers are expected."""
