"""Identify the caller of a function by the identity token that Cloud Run has checked.

Cloud Run lets a request in only with a token of an account that may call the function. The token is in the header
`Authorization` or `X-Serverless-Authorization`. If a request has both, Cloud Run checks only the latter
(cloud.google.com/run/docs/authenticating/service-to-service). Cloud Run removes the token's signature, so the function
cannot check the token again. It must therefore read the very token that Cloud Run checked, and refuses a request if it
is unclear which token that was.
"""

import base64
import binascii
import json
from collections.abc import Iterable
from typing import Any

TOKEN_HEADERS = frozenset({"authorization", "x-serverless-authorization"})
SCHEME = "bearer "


def is_called_by(email: str, headers: Iterable[tuple[str, str]]) -> bool:
    """Return whether a request comes from the service account `email`.

    `headers` are all headers of the request, including repeated ones. A request with two tokens is refused, because one
    of them was not checked.
    """
    tokens = [value for name, value in headers if name.lower() in TOKEN_HEADERS]
    if not email or len(tokens) != 1 or not tokens[0].lower().startswith(SCHEME):
        return False
    claims = _claims_of(tokens[0][len(SCHEME) :].strip())
    return claims.get("email") == email and claims.get("email_verified") is True


def _claims_of(token: str) -> dict[str, Any]:
    """Return the claims of a JSON Web Token; empty if it is malformed."""
    parts = token.split(".")
    if len(parts) != 3:
        return {}
    try:
        padded = parts[1] + "=" * (-len(parts[1]) % 4)
        claims = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        return {}
    return claims if isinstance(claims, dict) else {}
