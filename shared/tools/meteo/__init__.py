"""The weather: where a place is, and what Open-Meteo says of it (open-meteo.com/en/docs)."""
