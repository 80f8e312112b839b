"""The Bot API's methods, one module per topic."""
