"""Taking the text out of a page in a process of its own, which a hostile page may kill without harm."""
