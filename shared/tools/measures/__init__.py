"""Units of measurement, as people write them."""
