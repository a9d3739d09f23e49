"""The errors that the client raises: one class per failure code, and those of the connection."""
from __future__ import annotations

from types import MappingProxyType
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence

#: The fields of an error that are no numbers of its message.
NAMED = ("code", "request_id", "details")


class Detail(NamedTuple):
    """A fault in the request: a JSON pointer to the field, and the rule that it violates."""

    path: str
    message: str


class QuantdError(Exception):
    """A failed request.

    The message is one sentence for people; `code` is the service's failure code, for programs. `status` is the HTTP status (0: there
    was no reply), `request_id` names the request in the service's log, `details` point at faulty fields, `numbers` has the
    numbers of the message by their names in the reply (`needed`, `balance`, `limit`, …), and `retry_after` is the wait in seconds
    that the service asks for.
    """

    code: str = ""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        request_id: Optional[str] = None,
        details: Sequence[Detail] = (),
        numbers: Mapping[str, Any] = MappingProxyType({}),
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.request_id = request_id
        self.details = tuple(details)
        self.numbers = dict(numbers)
        self.retry_after = retry_after


class NetworkError(QuantdError):
    """The connection could not be made, or ended before the reply was complete."""

    code = "network"


class ReplyTimeoutError(QuantdError):
    """The service did not reply in time."""

    code = "timeout"


class UnexpectedReplyError(QuantdError):
    """The reply does not come from quantd, or has a failure code that this version does not know."""

    code = "reply"


class RowError(NamedTuple):
    """A row that has no result: its position in the input, its index label (else the position), and the reason."""

    row: int
    label: Any
    message: str


class RowsRefusedError(QuantdError):
    """Rows were refused, and the client was made with `refused="raise"`.

    `rows` names the refused rows; `result` is the result of the call, NaN in these rows. The other rows are charged, and a repetition
    of the call charges nothing.
    """

    code = "rows_refused"

    def __init__(self, message: str, rows: List[RowError], result: Any) -> None:
        super().__init__(message)
        self.rows = rows
        self.result = result

    def __reduce__(self) -> Any:
        """Processes hand their errors over as pickles, which are made by the arguments."""
        return type(self), (self.message, self.rows, self.result)


class MissingRowsWarning(UserWarning):
    """Rows with a missing value (NaN, None, NA, masked) were not sent; their result is NaN. `rows` names them and their fields."""

    def __init__(self, message: str, rows: Sequence[RowError] = ()) -> None:
        super().__init__(message)
        self.rows = tuple(rows)


class RefusedRowsWarning(UserWarning):
    """The service refused rows; their result is NaN. `rows` names them."""

    def __init__(self, message: str, rows: Sequence[RowError] = ()) -> None:
        super().__init__(message)
        self.rows = tuple(rows)


def failure(
    status: int, headers: Mapping[str, str], envelope: Any, by_code: Mapping[str, type[QuantdError]]
) -> QuantdError:
    """The error of a failure reply; of any other reply, an UnexpectedReplyError."""
    fields = envelope if isinstance(envelope, dict) else {}
    error = fields.get("error")
    error = error if isinstance(error, dict) else {}
    message = fields.get("message")
    known = by_code.get(error.get("code", ""))
    if not isinstance(message, str):
        message = _unknown_reply(status, headers)
    return (known or UnexpectedReplyError)(
        message,
        status=status,
        request_id=headers.get("x-request-id"),
        details=[Detail(one["path"], one["message"]) for one in error.get("details", [])],
        numbers={name: value for name, value in error.items() if name not in NAMED},
        retry_after=_seconds(headers.get("retry-after")),
    )


def _unknown_reply(status: int, headers: Mapping[str, str]) -> str:
    if status // 100 != 3:
        return f"The reply (status {status}) does not come from quantd."
    target = f" to {headers['location']}" if "location" in headers else ""
    return f"The address redirects{target}; use the address of the service itself."


def _seconds(value: Optional[str]) -> Optional[float]:
    """Retry-After in seconds; the service sends no dates."""
    try:
        return None if value is None else max(0.0, float(value))
    except ValueError:
        return None
