"""Every way in which an argument of infra can be wrong; the tests must find each, or there is a reason."""
