"""Client of the quantd service: quantitative-finance computations for numbers, arrays and data frames."""
from . import computations, failures
from .async_client import AsyncClient
from .client import Client
from .computations import *  # noqa: F403
from .errors import (
    Detail,
    MissingRowsWarning,
    NetworkError,
    QuantdError,
    RefusedRowsWarning,
    ReplyTimeoutError,
    RowError,
    RowsRefusedError,
    UnexpectedReplyError,
)
from .failures import *  # noqa: F403
from .receipt_values import InvalidReceiptError
from .receipts import ProvenCall, verify_receipt
from .standing import Standing, Window
from .version import VERSION as __version__

__all__ = [
    "AsyncClient",
    "Client",
    "Detail",
    "InvalidReceiptError",
    "MissingRowsWarning",
    "NetworkError",
    "ProvenCall",
    "QuantdError",
    "RefusedRowsWarning",
    "ReplyTimeoutError",
    "RowError",
    "RowsRefusedError",
    "Standing",
    "UnexpectedReplyError",
    "Window",
    "__version__",
    "verify_receipt",
]
__all__ += computations.__all__
__all__ += failures.__all__
