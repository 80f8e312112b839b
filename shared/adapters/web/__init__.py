"""The web, as the reader asks it: bounded in time and size, and only at addresses that were checked."""
