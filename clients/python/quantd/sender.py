"""Sends requests with the key of the caller, repeats them, and keeps the standing that replies report."""
from __future__ import annotations

import hashlib
import itertools
import json
import uuid
from typing import Any, Dict, Mapping, NamedTuple, Optional
from urllib.parse import urlencode

from .connections import Connections, Reply, Request, sendable
from .errors import QuantdError
from .repeat import repeated
from .standing import Standing, standing

JSON = "application/json"


class Options(NamedTuple):
    base_url: str
    api_key: Optional[str]
    timeout: float
    retries: int
    max_wait: float
    parallel: int
    rows_per_request: int
    progress: Optional[bool]
    refused: str


class Sender:
    def __init__(self, options: Options) -> None:
        if options.api_key is not None:
            sendable(options.api_key, "api_key")
        self._options = options
        self._connections = Connections(options.base_url, options.timeout)
        #: Credits and windows of the key after the last computation; None before the first.
        self.standing: Optional[Standing] = None

    def __getstate__(self) -> Options:
        """A copy in another process, or by `copy`, has connections of its own. It holds the key."""
        return self._options

    def __setstate__(self, options: Options) -> None:
        Sender.__init__(self, options)

    def close(self) -> None:
        """Closes the connections. Later calls open new ones."""
        self._connections.close()

    def _query(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        return self._send("GET", f"{path}?{urlencode(query)}" if query else path, None, {}, True).data

    def _change(self, path: str, body: Mapping[str, Any]) -> Any:
        """Sent once: a repetition could change the account twice."""
        return self._send("POST", path, encoded(body), {}, False).data

    def _once(self, path: str, body: Mapping[str, Any]) -> Any:
        """A computation that is charged each time it is called, and once however often it is sent."""
        key = {"Idempotency-Key": str(uuid.uuid4())}
        return self._send("POST", path, encoded(body), key, True).data

    def _exactly_once(self, path: str, body: bytes, media_type: str = JSON) -> Any:
        """A computation that is charged once for the same content within 24 hours, whoever sends it with this account's key."""
        digest = hashlib.sha256(path.encode() + b"\n" + body).hexdigest()
        for generation in itertools.count():
            key = {"Idempotency-Key": f"{digest}-{generation}"}
            try:
                return self._send("POST", path, body, key, True, media_type).data
            except QuantdError as error:
                # The service repeats a paid result ten times; after that the result is bought again.
                if error.numbers.get("counted") != "replays":
                    raise

    def _send(
        self,
        method: str,
        path: str,
        body: Optional[bytes],
        headers: Dict[str, str],
        repeatable: bool,
        media_type: str = JSON,
    ) -> Reply:
        headers["Accept"] = media_type
        if self._options.api_key is not None:
            headers["X-API-Key"] = self._options.api_key
        if body is not None:
            headers["Content-Type"] = media_type
        request = Request(method, path, body, headers, repeatable)
        retries = self._options.retries if repeatable else 0
        reply = repeated(lambda: self._connections.send(request), retries, self._options.max_wait)
        if "x-credits-cost" in reply.headers:
            self.standing = standing(reply.headers)
        return reply


def encoded(body: Any) -> bytes:
    """JSON without spaces; the same content gives the same bytes, and so the same Idempotency-Key."""
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
