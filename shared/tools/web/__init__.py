"""What the tools that read the web share."""
