"""Rates of exchange, as the European Central Bank publishes them."""
