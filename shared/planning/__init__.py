"""Planning: from a prompt to a plan, through a model whose bad answers are expected."""
