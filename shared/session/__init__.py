"""Session: one tick's hold on one chat: its lease, its fenced commits, and the ticks that come after it."""
