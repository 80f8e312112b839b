"""Services of the web that answer tools, and what they said before."""
