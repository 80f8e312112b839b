from local.cloud_tasks.oidc import bearer
from tests.local.cloud_tasks.task_handler import jwt_part


def test_the_token_is_unsigned_says_so_and_has_googles_claims() -> None:
    value = bearer("tick@example.iam.gserviceaccount.com", "https://tick.example", 1_800_000_000.9)
    header, claims = jwt_part(value, 0), jwt_part(value, 1)
    assert value.startswith("Bearer ")
    assert value.endswith(".")
    assert header == {"alg": "none", "typ": "JWT", "kid": "lull-local-unsigned"}
    assert claims["email"] == "tick@example.iam.gserviceaccount.com"
    assert claims["email_verified"] is True
    assert claims["aud"] == "https://tick.example"
    assert (claims["iss"], claims["exp"] - claims["iat"]) == ("https://accounts.google.com", 3600)
