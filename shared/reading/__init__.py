"""Reading the web: which addresses may be asked, and what is said of those that may not or cannot. Pure."""
