"""The connections to one service: kept alive, shared by threads."""
from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import socket
import weakref
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Union
from urllib.parse import urlsplit

from . import arrow
from .errors import NetworkError, QuantdError, ReplyTimeoutError, failure
from .failures import BY_CODE


class Request(NamedTuple):
    method: str
    path: str
    body: Optional[bytes]
    headers: Mapping[str, str]
    #: Whether the service may receive it twice: computations carry a key that prevents a second charge, queries change nothing.
    repeatable: bool


class Reply(NamedTuple):
    #: The reply's `data`; of an Arrow stream, its scalars, and its columns as `columns`.
    data: Any
    #: Names in lower case.
    headers: Mapping[str, str]


class Connections:
    """Sends requests. Connections that are not in use are kept for later requests of any thread."""

    def __init__(self, base_url: str, timeout: float) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"base_url must begin with http:// or https://, not be {base_url!r}")
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise ValueError("base_url must have no user name, query or fragment")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._timeout = timeout
        #: By process: a forked one has the sockets of its parent too, whose replies it must not read.
        self._idle: Dict[int, List[http.client.HTTPConnection]] = {}
        # A client that is no longer referred to leaves no open connections.
        weakref.finalize(self, _close, self._idle)

    def send(self, request: Request) -> Reply:
        """The reply to a request. Raises QuantdError."""
        kept = self._take() if request.repeatable else None
        if kept is not None:
            try:
                return self._on(kept, request)
            except NetworkError:
                # The service closes connections that were idle; only a new one tells whether it can be reached.
                pass
        return self._on(self._open(), request)

    def close(self) -> None:
        _close(self._idle)

    def _on(self, connection: http.client.HTTPConnection, request: Request) -> Reply:
        try:
            try:
                connection.request(
                    request.method, self._prefix + request.path, request.body, dict(request.headers)
                )
            except (BrokenPipeError, ConnectionResetError):
                # A body over the limit is refused before all of it was sent; the reply may be there.
                if request.body is None or connection.sock is None:
                    raise
            response = connection.getresponse()
            text = response.read()
        except (socket.timeout, TimeoutError):
            connection.close()
            raise ReplyTimeoutError(f"The service did not reply within {self._timeout:g} s.") from None
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            reason = str(error) or type(error).__name__
            raise NetworkError(f"Cannot connect to the service at {self._origin}: {reason}.") from error
        except BaseException:
            # An interrupt leaves the connection in the middle of an exchange.
            connection.close()
            raise
        self._give_back(connection)
        return _read(response, text)

    def _open(self) -> http.client.HTTPConnection:
        if self._secure:
            return http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout)
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)

    def _own(self) -> List[http.client.HTTPConnection]:
        return self._idle.setdefault(os.getpid(), [])

    # Without a lock: a thread that held it would not exist in a forked process. Lists append and pop at once.
    def _take(self) -> Optional[http.client.HTTPConnection]:
        with contextlib.suppress(IndexError):
            return self._own().pop()
        return None

    def _give_back(self, connection: http.client.HTTPConnection) -> None:
        if connection.sock is not None:
            self._own().append(connection)


def sendable(secret: str, name: str) -> str:
    """The secret, if a header can hold it: the message of http.client would contain it."""
    if not re.fullmatch(r"[\x21-\x7e]+", secret):
        raise ValueError(f"{name} has characters that no key contains")
    return secret


def _close(idle: Dict[int, List[http.client.HTTPConnection]]) -> None:
    for connections in list(idle.values()):
        with contextlib.suppress(IndexError):
            while True:
                connections.pop().close()


def _read(response: http.client.HTTPResponse, text: bytes) -> Reply:
    headers: Dict[str, str] = {name.lower(): value for name, value in response.getheaders()}
    if response.status < 300 and headers.get("content-type", "").startswith(arrow.MEDIA_TYPE):
        scalars, columns = arrow.decode(text)
        return Reply({**scalars, "columns": columns}, headers)
    envelope = _parsed(text)
    if response.status < 300 and isinstance(envelope, dict) and envelope.get("success") is True:
        return Reply(envelope.get("data"), headers)
    raise failure(response.status, headers, envelope, BY_CODE)


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text, parse_int=_whole)
    except ValueError:
        return None


def _whole(digits: str) -> Union[int, float]:
    """From 2⁵³ on a float: the service prints the shortest digits of a double, and as an integer they would be another number."""
    number = int(digits)
    return number if abs(number) < 2**53 else float(digits)
