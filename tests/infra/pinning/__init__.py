"""Every argument of infra that matters has its value and its reason here; a mutation of one must be found by them."""
