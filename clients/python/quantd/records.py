"""Replies about an account, generated from the declarations of the service by `npm run generate`; do not edit."""

from __future__ import annotations

from typing import Dict, List, Literal, Optional, TypedDict


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


class ExportRecord(TypedDict):
    #: the kind of the record.
    kind: Literal["account", "api_key", "team_key", "registration", "password_reset", "recovery_code", "notice", "mail", "ledger", "lot", "idempotency_key", "approval", "event", "refusal", "failed_attempt", "history"]
    #: the columns of the record; times in ISO 8601, UTC.
    values: Dict[str, object]


class Export(TypedDict):
    #: records of each kind, the oldest first.
    records: List[ExportRecord]
    #: send it as `cursor` to get the next page; null on the last page.
    next_cursor: Optional[str]


class KeysItem(TypedDict):
    #: number of the key; a rotation keeps it; 1 … 2⁵³ − 1.
    id: int
    #: name of the key.
    name: str
    #: first characters of the newest key.
    prefix: str
    #: last four characters of the newest key.
    last4: str
    #: whether the key is accepted.
    state: Literal["active", "expired", "revoked"]
    #: paths of the operations that the key may call, also in a batch, as columns and as MCP tools; null: all.
    paths: Optional[List[str]]
    #: IP addresses, and ranges such as 192.0.2.0/24, from which the key may be used; null: all.
    allowed_ips: Optional[List[str]]
    #: credits that the key may spend in a period; null: as many as the account has.
    credit_cap: Optional[int]
    #: when the cap renews; null: there is no cap.
    cap_period: Optional[Literal["total", "day", "month"]]
    #: when the cap renews next; null: never.
    cap_resets_at: Optional[str]
    #: credits spent in the present period of the cap.
    spent: float
    #: credits spent by the key and those that it replaced.
    spent_total: float
    #: requests to computations an hour, within the limits of the account; null: only those.
    hourly_limit: Optional[int]
    #: when the key was created (ISO 8601, UTC).
    created_at: str
    #: when the key ends; null: never.
    expires_at: Optional[str]
    #: when the key was last used, to the minute; null: never.
    last_used_at: Optional[str]


class Keys(TypedDict):
    #: team keys, newest first.
    items: List[KeysItem]


class CreditsLot(TypedDict):
    #: how many are left.
    credits: float
    #: when they expire (ISO 8601, UTC).
    expires_at: str


class CreditsWindow(TypedDict):
    #: its length; work: processor time in an hour.
    name: Literal["hour", "day", "work"]
    #: computations in it; of work: processor seconds.
    limit: float
    #: those made or used.
    used: float
    #: when it is over; absent: none runs (ISO 8601, UTC).
    resets_at: str


class CreditsGrant(TypedDict):
    #: when (ISO 8601, UTC).
    at: str
    #: how many.
    credits: float
    #: why, for example verification, guest_creation, transfer_in, expired, reversal.
    reason: str


class Credits(TypedDict):
    #: current balance.
    credits: float
    #: credits that the operator took back and the balance did not hold; later grants pay it first.
    debt: float
    #: sum of all grants and transfers, less credits that expired or were taken back.
    granted: float
    #: sum of all charges less refunds.
    spent: float
    #: the part of the balance that expires, the soonest first, which is spent first.
    lots: List[CreditsLot]
    #: of a team key: credits that it may spend in a period; absent: no cap.
    cap: float
    #: of a team key: credits of the cap that are not spent.
    cap_left: float
    #: of a team key: when the cap renews; absent: never (ISO 8601, UTC).
    cap_resets_at: str
    #: limits of computations, which all keys of the account share.
    windows: List[CreditsWindow]
    #: credits that the account received; negative: that it lost without a call.
    grants: List[CreditsGrant]


class Notices(TypedDict):
    #: the thresholds, the highest first.
    credits: List[int]


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
    #: of a team key: its id.
    key_id: int
    #: of a team key: its name.
    key_name: str


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


class UsageSummaryByKey(TypedDict):
    #: id of the team key.
    key_id: int
    #: its name.
    key_name: str
    #: computations.
    calls: int
    #: credits charged.
    credits: float


class UsageSummary(TypedDict):
    #: totals by endpoint.
    by_endpoint: List[UsageSummaryByEndpoint]
    #: totals by day.
    by_day: List[UsageSummaryByDay]
    #: totals of the team keys that were used.
    by_key: List[UsageSummaryByKey]


class ReceiptLeaf(TypedDict):
    #: number of the account.
    account: int
    #: salted digest of the client address, hexadecimal.
    address: str
    #: when, in epoch milliseconds.
    at: int
    #: computations in it.
    calls: int
    #: failure code.
    code: Optional[str]
    #: digest of the request and of the result, hexadecimal.
    content: Optional[str]
    #: credits charged.
    credits: int
    #: of a batch: calls and credits by path, as JSON.
    detail: Optional[str]
    #: duration in milliseconds.
    duration_ms: int
    #: id of the audit row.
    id: str
    #: number of the API key.
    key: Optional[int]
    #: computation.
    kind: str
    #: HTTP method.
    method: str
    #: path of the endpoint.
    path: str
    #: whether an idempotency key repeated it.
    replayed: bool
    #: X-Request-Id of the reply.
    request_id: str
    #: HTTP status of the reply.
    status: int
    #: version of the service.
    version: str


class ReceiptGroup(TypedDict):
    #: time of its rows, in epoch milliseconds.
    at: int
    #: rows in it.
    leaves: int
    #: its place in the stream, from 1.
    number: int
    #: link of the group before it, hexadecimal.
    previous: str
    #: number of the stream.
    stream: int


class ReceiptCheckpointStream(TypedDict):
    #: first group.
    first: int
    #: last group.
    last: int
    #: link of the last group, hexadecimal.
    head: str
    #: root of the tree of these groups, hexadecimal.
    root: str
    #: number of the stream.
    stream: int


class ReceiptCheckpoint(TypedDict):
    #: when, in epoch milliseconds.
    at: int
    #: the database's clock, where it was behind `at`: the times of the rows are doubtful.
    clock: int
    #: rows from before may have been deleted by retention.
    kept_from: int
    #: id of the key that signs it.
    key: str
    #: at a rotation: id of the key that signs the next one.
    next_key: str
    #: its number, from 1.
    number: int
    #: hash of the checkpoint before it, hexadecimal.
    previous: Optional[str]
    #: rows from before have no proof.
    proven_from: int
    #: id of the database.
    service: str
    #: the groups that it adds.
    streams: List[ReceiptCheckpointStream]


class ReceiptSignature(TypedDict):
    #: id of the key.
    key: str
    #: Ed25519, base64url.
    signature: str


class Receipt(TypedDict):
    #: version of the format: 1.
    quantd_receipt: int
    #: .
    leaf: ReceiptLeaf
    #: place of the row in its group, from 0.
    index: int
    #: hashes from the row to the root of its group.
    path: List[str]
    #: .
    group: ReceiptGroup
    #: hashes from the group to the root in the checkpoint.
    way: List[str]
    #: .
    checkpoint: ReceiptCheckpoint
    #: of the checkpoint.
    signatures: List[ReceiptSignature]
