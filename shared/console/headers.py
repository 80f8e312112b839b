"""The security headers of responses. They make the browser block everything that the console does not need.

Error responses have only a few headers that any web service may send. So strangers, who get nothing but errors, do not
learn what runs here.
"""

import logging
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.base.logs import log
from shared.console.answers import crash_answer

#: the only pages that may show the console in a frame: Telegram's web clients
FRAMING: Final = "https://web.telegram.org https://webk.telegram.org https://webz.telegram.org"
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        f"frame-ancestors {FRAMING}",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Origin-Agent-Cluster": "?1",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(self), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "Strict-Transport-Security": "max-age=31536000",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
}
#: for every response with an error; any web service might send these
HEADERS_OF_ERRORS: Final = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Strict-Transport-Security": HEADERS["Strict-Transport-Security"],
    "X-Content-Type-Options": "nosniff",
}
_FIRST_ERROR: Final = 400


class SecureHeaders:
    """Middleware that adds the headers to every response, and `no-store` if the response has no `Cache-Control`.

    It also makes the response to an unexpected error, so that this response has the headers, too.
    """

    def __init__(self, app: ASGIApp) -> None:
        """`app` is the application whose responses get the headers."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on to the application, and add the headers to its response."""
        begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                fitting = HEADERS if message["status"] < _FIRST_ERROR else HEADERS_OF_ERRORS
                for name, value in fitting.items():
                    headers.setdefault(name, value)  # a file from the bucket has a stricter policy
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception as error:
            log("an unexpected error in the console", logging.ERROR, error)
            if not begun:
                await crash_answer()(scope, receive, send_with_headers)
