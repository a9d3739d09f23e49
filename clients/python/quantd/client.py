"""The client of a quantd service."""
from __future__ import annotations

import os
import platform
import uuid
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union, cast

from .batch import send_batch
from .calls import Call
from .computations import Computations
from .errors import QuantdError
from .records import Credits, ExportRecord, Notices, Profile, Receipt, UsageItem, UsageSummary
from .sender import Options
from .team_keys import TeamKeys

DEFAULT_URL = "http://127.0.0.1:8080"


class Client(Computations, TeamKeys):
    """Calls a quantd service: one method per computation, and the account of the key with its team keys.

    A computation takes numbers and returns a float; with a pandas Series, a numpy array or a list among its arguments it is computed
    for every row and returns the same kind, with the same index. A client may be used by several threads.

    Args:
        base_url: address of the service; default the environment variable QUANTD_URL, else http://127.0.0.1:8080.
        api_key: key of the account; default QUANTD_API_KEY.
        timeout: seconds that one attempt may take without a byte of the reply.
        retries: attempts after the first, after a network error or status 429, 502, 503 or 504; by default for 6 to
            13 seconds, which outlasts a restart of the service.
        max_wait: longest wait before a retry, in seconds; where the service asks for more, the call fails at once.
        parallel: requests at the same time for a call of many rows.
        rows_per_request: rows of one request; more are sent in several.
        progress: whether a call of several requests shows a progress bar; None: where standard error is a terminal.
        refused: rows without a result: "warn" warns once and returns NaN there, "raise" raises RowsRefusedError.

    Raises (each method):
        InvalidInputError: an argument is out of its bounds, or there is no finite result.
        CreditsExhaustedError: the balance does not cover the cost.
        RateLimitedError: a rate window is used up, for longer than `max_wait`.
        OverloadedError: the service had too much work at once, after all retries too.
        QuantdError: any other failure; its class and `code` tell which.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: float = 60.0,
        retries: int = 6,
        max_wait: float = 60.0,
        parallel: int = 4,
        rows_per_request: int = 50_000,
        progress: Optional[bool] = None,
        refused: str = "warn",
    ) -> None:
        if refused not in ("warn", "raise"):
            raise ValueError(f'refused must be "warn" or "raise", not {refused!r}')
        if parallel < 1 or rows_per_request < 1 or retries < 0:
            raise ValueError("parallel and rows_per_request must be at least 1, retries at least 0")
        url = base_url or os.environ.get("QUANTD_URL") or DEFAULT_URL
        key = api_key or os.environ.get("QUANTD_API_KEY") or None
        super().__init__(
            Options(url, key, timeout, retries, max_wait, parallel, rows_per_request, progress, refused)
        )

    @classmethod
    def guest(cls, base_url: Optional[str] = None, **options: Any) -> Client:
        """A client with a new guest key: 50 credits, valid for 24 hours. `options` are those of Client."""
        device = {
            "device_id": str(uuid.uuid4()),
            "device_name": platform.node() or "python",
            "platform": f"python {platform.python_version()}",
        }
        client = cls(base_url, **options)
        client._options = client._options._replace(api_key=None)
        created = client._change("/guest/create", device)
        client._options = client._options._replace(api_key=created["api_key"])
        return client

    def with_options(self, **changes: Any) -> Client:
        """A client with other options, for example `client.with_options(progress=True)`."""
        return type(self)(**{**self._options._asdict(), **changes})

    @property
    def base_url(self) -> str:
        return self._options.base_url

    @property
    def api_key(self) -> Optional[str]:
        return self._options.api_key

    def batch(self, calls: Sequence[Call]) -> List[Union[Dict[str, Any], QuantdError]]:
        """Computations of any kind, 1,000 in a request; for many rows of one kind, its method is faster.

        A call is a dictionary of `path` (of the operation, such as "/quantlib/pricing/bs/price") and `body` (its fields).

        Returns:
            for each call the data of its reply or, if it failed, its error, which is not raised.

        Raises:
            QuantdError: a request failed as a whole.
        """
        return send_batch(self, calls)

    def profile(self) -> Profile:
        """The account that the key belongs to."""
        return cast(Profile, self._query("/user/profile"))

    def credits(self) -> Credits:
        """The balance, and the grants and charges that it results from."""
        return cast(Credits, self._query("/user/credits"))

    def notices(self) -> Notices:
        """The balances at which the owner of the account gets a mail."""
        return cast(Notices, self._query("/user/notices"))

    def set_notices(self, credits: Sequence[int]) -> Notices:
        """Replaces the balances at which the owner gets a mail: at most 10 of them; none for no mails."""
        return cast(Notices, self._change("/user/notices", {"credits": list(credits)}))

    def usage(
        self,
        page: int = 1000,
        *,
        path: Optional[str] = None,
        status: Union[str, int, None] = None,
        day: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        key: Optional[int] = None,
        request_id: Optional[str] = None,
    ) -> Iterator[UsageItem]:
        """The computations of a registered account, newest first; `page` of them per request.

        Only those of `path`, with `status` ("success", "failure" or an HTTP status), of `day` ("2026-01-31", UTC), at `from_` or
        later and before `to` (days or times, ISO 8601), of the team key `key` (its id), and with `request_id`, where these are given.
        """
        filters = {"path": path, "status": status, "day": day, "from": from_, "to": to, "key": key, "request_id": request_id}
        query: Dict[str, Any] = {name: value for name, value in filters.items() if value is not None}
        query["limit"] = page
        while True:
            data = self._query("/user/usage", query)
            yield from data["items"]
            if data["next_cursor"] is None:
                return
            query["cursor"] = data["next_cursor"]

    def export(self, *, mfa_code: Optional[str] = None) -> Iterator[ExportRecord]:
        """All that is kept about a registered account, record by record; no secret is among it.

        Where the second factor is on, `mfa_code` is needed.
        """
        query: Dict[str, Any] = {} if mfa_code is None else {"mfa_code": mfa_code}
        while True:
            data = self._query("/user/export", query)
            yield from data["records"]
            if data["next_cursor"] is None:
                return
            query = {"cursor": data["next_cursor"]}

    def usage_summary(self) -> UsageSummary:
        """Computations and credits charged, by endpoint and by day."""
        return cast(UsageSummary, self._query("/user/usage/summary"))

    def receipt(self, request_id: str) -> Receipt:
        """The receipt of a call, which `quantd.verify_receipt` checks without the service. Keep it as JSON."""
        return cast(Receipt, self._query("/user/receipt", {"request_id": request_id}))

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        # The key is a secret; notebooks print and keep representations.
        return f"quantd.Client({self.base_url!r})"
