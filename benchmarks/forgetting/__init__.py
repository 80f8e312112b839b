"""Ways in which something of somebody comes to be kept: each is planted in a database of its own and forgotten."""
