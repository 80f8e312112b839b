"""Every possible error in an argument of infra; tests must find each error that has no reason to survive."""
