"""The client of the operators' interface, with the token of a program or a person."""
from __future__ import annotations

import json
from typing import Any, Dict, Optional
from urllib.parse import urlencode

from .connections import Connections, Request, sendable
from .operator_acts import Acts
from .repeat import repeated


class Operator(Acts):
    """One method per endpoint of the operators' listener. Fields that are not given are not sent; None is sent as null.

    Reads, grants and reversals are repeated after failures that may pass; other acts are sent once. Raises QuantdError.
    """

    def __init__(
        self, base_url: str, token: str, *, timeout: float = 60.0, retries: int = 3, max_wait: float = 30.0
    ) -> None:
        self._connections = Connections(base_url.rstrip("/"), timeout)
        self._token = sendable(token, "token")
        self._retries = retries
        self._max_wait = max_wait

    def close(self) -> None:
        """Closes the connections. Later calls open new ones."""
        self._connections.close()

    def _act(self, method: str, path: str, repeatable: bool, fields: Optional[Dict[str, Any]]) -> Any:
        given = {name: value for name, value in (fields or {}).items() if value is not ...}
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        body = None
        if method == "POST":
            headers["Content-Type"] = "application/json"
            body = json.dumps(given, allow_nan=False).encode()
        elif given:
            path = f"{path}?{urlencode(given)}"
        request = Request(method, path, body, headers, repeatable)
        retries = self._retries if repeatable else 0
        return repeated(lambda: self._connections.send(request), retries, self._max_wait).data
