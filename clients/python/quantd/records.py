"""Replies about an account, generated from the declarations of the service by `npm run generate`; do not edit."""

from __future__ import annotations

from typing import List, Literal, Optional, TypedDict


class ProfileAlways(TypedDict):
    #: current balance.
    credits: float
    #: account type; it determines the hourly limit.
    account_type: Literal["free", "basic", "standard", "pro", "guest"]
    #: when the key was created (ISO 8601, UTC).
    api_key_created_at: str
    #: state of the API key.
    api_key_status: Literal["active", "suspended", "revoked"]


class Profile(ProfileAlways, total=False):
    #: number of the account.
    user_id: int
    #: the address.
    email: str
    #: full name.
    full_name: str
    #: when the account was created (ISO 8601, UTC).
    created_at: str
    #: whether the second factor is on.
    mfa_enabled: bool
    #: when the key expires: after 24 hours (ISO 8601, UTC).
    expires_at: str


class CreditsGrant(TypedDict):
    #: when (ISO 8601, UTC).
    at: str
    #: how many.
    credits: float
    #: why, for example verification, guest_creation, transfer_in, admin_grant.
    reason: str


class Credits(TypedDict):
    #: current balance.
    credits: float
    #: sum of all grants and transfers.
    granted: float
    #: sum of all charges less refunds.
    spent: float
    #: credits that the account received.
    grants: List[CreditsGrant]


class UsageItem(TypedDict):
    #: when (ISO 8601, UTC).
    at: str
    #: path of the endpoint.
    path: str
    #: HTTP status of the reply.
    status: int
    #: credits charged.
    credits: float
    #: IP address of the client.
    ip: str
    #: duration in milliseconds.
    duration_ms: float
    #: X-Request-Id of the reply.
    request_id: str


class Usage(TypedDict):
    #: computations, newest first.
    items: List[UsageItem]
    #: send it as `cursor` to get the next page; null on the last page.
    next_cursor: Optional[str]


class UsageSummaryByEndpoint(TypedDict):
    #: path of the endpoint.
    path: str
    #: computations.
    calls: int
    #: credits charged.
    credits: float


class UsageSummaryByDay(TypedDict):
    #: day, UTC, YYYY-MM-DD.
    day: str
    #: computations.
    calls: int
    #: credits charged.
    credits: float


class UsageSummary(TypedDict):
    #: totals by endpoint.
    by_endpoint: List[UsageSummaryByEndpoint]
    #: totals by day.
    by_day: List[UsageSummaryByDay]
