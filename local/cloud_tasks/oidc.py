"""Makes the Authorization header of tasks and scheduled jobs that are configured to send an OIDC token.

Google signs the real service's tokens. The token made here is unsigned, and marked as unsigned (`alg: none`). It has
the claims that a handler reads, but no verifier accepts it.
"""

import base64
import json
from collections.abc import Mapping

ISSUER = "https://accounts.google.com"
KEY_ID = "lull-local-unsigned"
LIFETIME_SECONDS = 3600


def bearer(email: str, audience: str, now: float) -> str:
    """Return the header's value: an unsigned JSON Web Token for that service account and audience."""
    header = {"alg": "none", "typ": "JWT", "kid": KEY_ID}
    issued = int(now)
    claims = {
        "iss": ISSUER,
        "aud": audience,
        "azp": email,
        "sub": email,
        "email": email,
        "email_verified": True,
        "iat": issued,
        "exp": issued + LIFETIME_SECONDS,
    }
    return f"Bearer {_part(header)}.{_part(claims)}."


def _part(content: Mapping[str, object]) -> str:
    text = json.dumps(content, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()
