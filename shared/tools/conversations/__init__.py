"""What the tools share that look into earlier conversations."""
