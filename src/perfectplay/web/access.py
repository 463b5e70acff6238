"""Access: a word that whoever may use the server was given, as a link, and keeps in a cookie."""

from __future__ import annotations

import secrets
from hashlib import sha256
from hmac import compare_digest
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from perfectplay.errors import BadParameterError
from perfectplay.web.replies import json_reply

ASKED = "invitation"  # what a link calls the word
COOKIE = "perfectplay-invited"
DAYS = 180  # that a browser keeps it
SHORTEST = 12  # letters: shorter words can be guessed
OPEN = ("/", "/healthz", "/exercise/sheet.css")  # what needs no word: files of ours, which compute nothing
OPEN_BELOW = ("/static/", "/theatre/")
NEEDED = (
    "this server needs an invitation: open the link that you were given, or send its word as a bearer token."
)
WRONG = "this invitation is not valid here: ask for the link again."


def new_token() -> str:
    """A word that nobody guesses."""
    return secrets.token_urlsafe(16)


def checked_token(token: str) -> str:
    """A word that somebody chose, if it can be one."""
    if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        raise BadParameterError(
            f"that token has {len(token)} letters: give {SHORTEST} or more, of ASCII and without spaces, "
            "or leave it out for one that nobody guesses."
        )
    return token


def invitation(address: str, token: str) -> str:
    """The link by which others come in."""
    return f"{address}?{ASKED}={quote(token, safe='')}"


class Access:
    """Lets in who knows the word; the page itself is for everybody, since it says how to get in.

    The cookie is sent with what the page itself asks for, and with nothing that a page from elsewhere does:
    so no link and no form leads anyone to what computes.
    """

    def __init__(self, app: ASGIApp, token: str, prefix: str = "") -> None:
        self.app = app
        self.token = token
        self.prefix = prefix
        self.kept = sha256(f"perfectplay {token}".encode()).hexdigest()  # in the cookie: not the word itself

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, invite, or refuse."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        if path == "/" and (given := self._invitation(scope)) is not None:
            await given(scope, receive, send)
        elif path in OPEN or path.startswith(OPEN_BELOW) or self._is_invited(Headers(scope=scope)):
            await self.app(scope, receive, send)
        else:
            refusal = json_reply({"message": NEEDED}, 401, {"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)

    def _invitation(self, scope: Scope) -> Response | None:
        """The answer to a link with the word: a cookie, and the same address without the word."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        words = [value for name, value in query if name == ASKED]
        if not words:
            return None
        if not _same(words[-1], self.token):
            return json_reply({"message": WRONG}, 403)
        rest = urlencode([each for each in query if each[0] != ASKED])
        answer = Response(status_code=303, headers={"Location": f"{self.prefix}/{'?' if rest else ''}{rest}"})
        answer.set_cookie(
            COOKIE,
            self.kept,
            max_age=DAYS * 86400,
            path=f"{self.prefix}/",
            secure=scope.get("scheme") == "https",
            httponly=True,
            samesite="strict",
        )
        return answer

    def _is_invited(self, headers: Headers) -> bool:
        kind, _, word = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and _same(word.strip(), self.token):
            return True
        cookies = [cookie_parser(each).get(COOKIE, "") for each in headers.getlist("cookie")]
        return any(_same(each, self.kept) for each in cookies)


def _same(given: str, wanted: str) -> bool:
    """Compare in a time that tells nothing."""
    return compare_digest(given.encode("utf-8", "replace"), wanted.encode())
