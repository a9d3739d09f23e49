/** Migration 006: the tables of version 0.1.0 become those of this version. */
import { AUDIT_PROVEN_FROM } from '../facts.ts'
import type { ColumnTypes, Migration } from './migration.ts'

/**
 * Makes version 0.1.0 run its first migration again, which fails, so that it does not start: it would spend credits that do not
 * expire before those that do, and pay no debt.
 */
export const refuseFirstRelease = "DELETE FROM migrations WHERE name = '001-ledger'"

export const sinceFirstRelease: Migration = {
  name: '006-since-0.1.0',
  statements: (type) => [
    ...accountColumns(type),
    ...teamKeys(type),
    ...movements(type),
    ...usage(type),
    ...audit(type),
    ...mailAndAttempts(type),
    ...webhooks(type),
    ...operators(type),
    ...approvals(type),
    `CREATE TABLE plans (
      version ${type.integer} PRIMARY KEY,
      at ${type.integer} NOT NULL,
      actor TEXT NOT NULL,
      note TEXT,
      items TEXT NOT NULL
    )`,
    refuseFirstRelease,
    ...signOn,
  ],
}

/** An account is bound to the person of a provider. */
export const signOn = [
  'ALTER TABLE accounts ADD COLUMN sign_on TEXT',
  'CREATE UNIQUE INDEX accounts_sign_on ON accounts (sign_on) WHERE sign_on IS NOT NULL',
]

const accountColumns = (type: ColumnTypes) => [
  `ALTER TABLE accounts ADD COLUMN lots_expire_at ${type.integer}`,
  `ALTER TABLE accounts ADD COLUMN debt ${type.integer} NOT NULL DEFAULT 0 CHECK (debt >= 0)`,
  `ALTER TABLE accounts ADD COLUMN low_credits ${type.integer}`,
  // An account whose person was erased: the row stays, because movements and calls refer to it.
  `ALTER TABLE accounts ADD COLUMN deleted_at ${type.integer}`,
  // Null: nothing is left to erase.
  `ALTER TABLE accounts ADD COLUMN erased_until ${type.integer}`,
  // The window of processor time.
  `ALTER TABLE accounts ADD COLUMN work_limit ${type.integer}`,
  `ALTER TABLE accounts ADD COLUMN work_started_at ${type.integer} NOT NULL DEFAULT 0`,
  `ALTER TABLE accounts ADD COLUMN work_micros ${type.integer} NOT NULL DEFAULT 0`,
  'CREATE INDEX accounts_lots_expire_at ON accounts (lots_expire_at) WHERE lots_expire_at IS NOT NULL',
  'CREATE INDEX accounts_erased_until ON accounts (erased_until) WHERE erased_until IS NOT NULL',
  `CREATE INDEX accounts_address_start ON accounts (address ${type.byteOrder}) WHERE address IS NOT NULL`,
]

/** A lineage has the settings and the spending of all keys that rotations made of one. */
const teamKeys = (type: ColumnTypes) => [
  `CREATE TABLE hash_keys (
    id ${type.id},
    name TEXT NOT NULL UNIQUE,
    master_key_id TEXT NOT NULL,
    sealed ${type.bytes} NOT NULL
  )`,
  `CREATE TABLE team_keys (
    id ${type.id},
    account_id ${type.integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    paths TEXT,
    allowed_ips TEXT,
    credit_cap ${type.integer},
    cap_period TEXT NOT NULL CHECK (cap_period IN ('total', 'day', 'month')),
    spent ${type.integer} NOT NULL DEFAULT 0,
    spent_from ${type.integer} NOT NULL DEFAULT 0,
    spent_total ${type.integer} NOT NULL DEFAULT 0,
    hourly_limit ${type.integer},
    hour_started_at ${type.integer} NOT NULL DEFAULT 0,
    hour_count ${type.integer} NOT NULL DEFAULT 0,
    created_at ${type.integer} NOT NULL,
    expires_at ${type.integer},
    last_used_at ${type.integer},
    told_end ${type.integer}
  )${type.updatedOften}`,
  'CREATE INDEX team_keys_account ON team_keys (account_id)',
  // Of team keys whose end has not caused its event yet.
  'CREATE INDEX team_keys_end ON team_keys (expires_at) WHERE expires_at IS NOT NULL AND told_end IS NULL',
  `ALTER TABLE api_keys ADD COLUMN team_key_id ${type.integer}`,
  'ALTER TABLE api_keys ADD COLUMN prefix TEXT',
  'ALTER TABLE api_keys ADD COLUMN last4 TEXT',
  `ALTER TABLE api_keys ADD COLUMN ends_at ${type.integer}`,
  `CREATE INDEX api_keys_prefix ON api_keys (prefix ${type.byteOrder}) WHERE prefix IS NOT NULL`,
  "CREATE INDEX api_keys_suspended ON api_keys (account_id) WHERE status = 'suspended'",
  'CREATE INDEX api_keys_team_key ON api_keys (team_key_id) WHERE team_key_id IS NOT NULL',
  // Ends of team keys that were revoked, by which retention finds them.
  'CREATE INDEX api_keys_ends_at ON api_keys (ends_at) WHERE ends_at IS NOT NULL AND team_key_id IS NOT NULL',
]

/** Credits that expire or are taken back: lots, debts, and references that are unique in the whole ledger. */
const movements = (type: ColumnTypes) => [
  'ALTER TABLE ledger ADD COLUMN reference TEXT',
  // Refunds, and the sums of days that were removed from the audit, belong to the lineage whose calls they concern.
  `ALTER TABLE ledger ADD COLUMN team_key_id ${type.integer}`,
  'CREATE UNIQUE INDEX ledger_reference ON ledger (account_id, reference) WHERE reference IS NOT NULL',
  `CREATE TABLE lots (
    id ${type.id},
    account_id ${type.integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    reference TEXT,
    granted ${type.integer} NOT NULL,
    remaining ${type.integer} NOT NULL CHECK (remaining >= 0),
    expired ${type.integer} NOT NULL DEFAULT 0 CHECK (expired >= 0),
    expires_at ${type.integer} NOT NULL
  )${type.updatedOften}`,
  'CREATE INDEX lots_account ON lots (account_id, expires_at)',
  // Without a foreign key: a reference stays used when its account is deleted.
  `CREATE TABLE ledger_references (
    reference TEXT PRIMARY KEY,
    account_id ${type.integer} NOT NULL,
    credits ${type.integer} NOT NULL,
    grant_reference TEXT,
    reversed ${type.integer} NOT NULL DEFAULT 0,
    CHECK (reversed BETWEEN 0 AND credits)
  )`,
  'CREATE INDEX ledger_references_grant ON ledger_references (grant_reference) WHERE grant_reference IS NOT NULL',
]

/** The sums of past days, by team key. They are computed again from the audit, which has rows for as many days. */
const usage = (type: ColumnTypes) => [
  'DROP TABLE usage_days',
  'DELETE FROM usage_closed',
  `CREATE TABLE usage_days (
    account_id ${type.integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    day ${type.integer} NOT NULL,
    path TEXT NOT NULL,
    team_key_id ${type.integer} NOT NULL,
    calls ${type.integer} NOT NULL,
    credits ${type.integer} NOT NULL,
    PRIMARY KEY (account_id, day, path, team_key_id)
  )`,
  'CREATE INDEX usage_days_day ON usage_days (day)',
]

/** Indexes of the audit, and its proofs: its groups, their streams, and the checkpoints that sign them. */
const audit = (type: ColumnTypes) => [
  // Each of these numbers is in every row, so they have four bytes.
  'ALTER TABLE audit ADD COLUMN stream INTEGER',
  'ALTER TABLE audit ADD COLUMN group_number INTEGER',
  `ALTER TABLE audit ADD COLUMN content ${type.bytes}`,
  `ALTER TABLE audit ADD COLUMN address ${type.bytes}`,
  // Pages of usage skip the rows of account endpoints. Each audit row is in one of these two indexes, so that a write costs as
  // much as with a single index.
  "CREATE INDEX audit_computations ON audit (account_id, at) WHERE kind = 'computation'",
  "CREATE INDEX audit_other_kinds ON audit (account_id, at) WHERE kind <> 'computation'",
  'DROP INDEX audit_account',
  // A request id that the service makes is the id of the audit row, which has an index already. Ids that callers gave come first,
  // because they ascend unless callers choose them: with the account first, a row would take four times as long.
  `CREATE INDEX audit_given_requests ON audit (request_id, account_id, at)
    WHERE kind = 'computation' AND request_id <> id`,
  "CREATE INDEX audit_acts ON audit (at) WHERE method IN ('CLI', 'OPERATOR')",
  // Events that wait for the next checkpoint.
  "CREATE INDEX audit_unproven ON audit (at) WHERE stream IS NULL AND kind = 'event'",
  `CREATE TABLE audit_streams (
    id ${type.id},
    opened_at ${type.integer} NOT NULL,
    version TEXT NOT NULL,
    signed INTEGER NOT NULL DEFAULT 0,
    signed_at ${type.integer} NOT NULL
  )`,
  'CREATE INDEX audit_streams_signed_at ON audit_streams (signed_at)',
  `CREATE TABLE audit_groups (
    account_id ${type.integer} NOT NULL,
    at ${type.integer} NOT NULL,
    stream INTEGER NOT NULL,
    number INTEGER NOT NULL,
    leaves INTEGER NOT NULL,
    link ${type.bytes} NOT NULL,
    PRIMARY KEY (stream, number)
  )${type.byKey}`,
  // One salt for the client addresses of an account. It stays with the rows where an account goes.
  `CREATE TABLE audit_salts (account_id ${type.integer} PRIMARY KEY, salt ${type.bytes} NOT NULL)`,
  `CREATE TABLE checkpoints (
    number ${type.integer} PRIMARY KEY,
    at ${type.integer} NOT NULL,
    body TEXT NOT NULL,
    signatures TEXT NOT NULL
  )`,
  'CREATE INDEX checkpoints_at ON checkpoints (at, number)',
  `CREATE TABLE signing_keys (
    id ${type.id},
    uid TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    created_at ${type.integer} NOT NULL,
    retired_at ${type.integer},
    master_key_id TEXT NOT NULL,
    sealed ${type.bytes} NOT NULL
  )`,
  // Existing rows have no proof.
  `INSERT INTO facts (name, value)
    SELECT '${AUDIT_PROVEN_FROM}', cast(max(at) + 1 AS TEXT) FROM audit HAVING count(*) > 0`,
]

const mailAndAttempts = (type: ColumnTypes) => [
  // Balances at which the owner of an account gets a mail. `waits` is 1 while the balance lies above.
  `CREATE TABLE notices (
    account_id ${type.integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    credits ${type.integer} NOT NULL,
    waits ${type.integer} NOT NULL,
    mailed_at ${type.integer},
    PRIMARY KEY (account_id, credits)
  )`,
  // A pending registration is bound to the client that made it: the keyed hash of the token in its reply, null on rows from before.
  `ALTER TABLE registrations ADD COLUMN token_hash ${type.bytes}`,
  // The client address, as limits count it.
  "ALTER TABLE registrations ADD COLUMN client TEXT NOT NULL DEFAULT ''",
  // 1: the present code was mailed for the client that holds the token.
  `ALTER TABLE registrations ADD COLUMN code_is_own ${type.integer} NOT NULL DEFAULT 0`,
  'CREATE INDEX password_resets_expires_at ON password_resets (code_expires_at)',
  'CREATE INDEX mails_recipient ON mails (recipient) WHERE recipient IS NOT NULL',
  // Failed attempts at an address, counted for the audit.
  `CREATE TABLE failed_attempts (
    subject TEXT NOT NULL,
    ip TEXT NOT NULL,
    path TEXT NOT NULL,
    code TEXT NOT NULL,
    minute ${type.integer} NOT NULL,
    account_id ${type.integer},
    count ${type.integer} NOT NULL,
    PRIMARY KEY (minute, subject, ip, path, code)
  )`,
  // Finds the records of an account, also to erase them.
  'CREATE INDEX failed_attempts_account ON failed_attempts (account_id) WHERE account_id IS NOT NULL',
]

/** The events of accounts, the endpoints that receive them, and what is still to be delivered. */
const webhooks = (type: ColumnTypes) => [
  // Without a reference to the account: an event outlives its account.
  `CREATE TABLE webhook_events (
    id ${type.id},
    account_id ${type.integer} NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    at ${type.integer} NOT NULL,
    queued_at ${type.integer}
  )`,
  'CREATE INDEX webhook_events_new ON webhook_events (id) WHERE queued_at IS NULL',
  'CREATE INDEX webhook_events_at ON webhook_events (at)',
  'CREATE INDEX webhook_events_account ON webhook_events (account_id, id)',
  `CREATE TABLE webhook_endpoints (
    id ${type.id},
    uid TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    types TEXT,
    created_at ${type.integer} NOT NULL,
    master_key_id TEXT NOT NULL,
    sealed ${type.bytes} NOT NULL
  )`,
  `CREATE TABLE webhook_deliveries (
    id ${type.id},
    endpoint_id ${type.integer} NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    event_id ${type.integer} NOT NULL,
    account_id ${type.integer} NOT NULL,
    queued_at ${type.integer} NOT NULL,
    attempts ${type.integer} NOT NULL DEFAULT 0,
    next_at ${type.integer},
    status ${type.integer},
    delivered_at ${type.integer},
    parked_at ${type.integer},
    UNIQUE (endpoint_id, event_id)
  )${type.updatedOften}`,
  // A delivery is due at `next_at`, which is null once it is delivered or parked.
  'CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_at) WHERE next_at IS NOT NULL',
  'CREATE INDEX webhook_deliveries_order ON webhook_deliveries (endpoint_id, account_id, id) WHERE next_at IS NOT NULL',
  'CREATE INDEX webhook_deliveries_queued ON webhook_deliveries (queued_at)',
  'CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id)',
]

/** Tokens of operators and the sessions of their page; what a person does alone where others need a second person. */
const operators = (type: ColumnTypes) => [
  `CREATE TABLE operator_tokens (
    id ${type.id},
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'support', 'billing', 'admin')),
    hash ${type.bytes} NOT NULL UNIQUE,
    created_at ${type.integer} NOT NULL,
    expires_at ${type.integer},
    revoked_at ${type.integer},
    last_used_at ${type.integer},
    session_of ${type.integer},
    person TEXT,
    made_by TEXT,
    made_with ${type.integer}
  )`,
  'CREATE UNIQUE INDEX operator_tokens_name ON operator_tokens (name) WHERE revoked_at IS NULL AND session_of IS NULL',
  'CREATE INDEX operator_sessions ON operator_tokens (expires_at) WHERE session_of IS NOT NULL',
  'CREATE INDEX operator_tokens_made_with ON operator_tokens (made_with) WHERE made_with IS NOT NULL',
  'CREATE INDEX operator_tokens_session_of ON operator_tokens (session_of) WHERE session_of IS NOT NULL',
  `CREATE TABLE lone_acts (
    id ${type.id},
    person TEXT NOT NULL,
    act TEXT NOT NULL,
    at ${type.integer} NOT NULL,
    credits ${type.integer} NOT NULL
  )`,
  'CREATE INDEX lone_acts_person ON lone_acts (person, act, at)',
  'CREATE INDEX lone_acts_at ON lone_acts (at)',
]

/** Acts that wait for a second person. */
const approvals = (type: ColumnTypes) => [
  `CREATE TABLE approvals (
    id ${type.id},
    act TEXT NOT NULL,
    path TEXT NOT NULL,
    input TEXT NOT NULL,
    account_id ${type.integer},
    asked_by TEXT NOT NULL,
    person TEXT NOT NULL,
    reason TEXT,
    asked_at ${type.integer} NOT NULL,
    expires_at ${type.integer} NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'confirmed', 'rejected')),
    decided_by TEXT,
    decided_at ${type.integer}
  )`,
  "CREATE INDEX approvals_waiting ON approvals (expires_at) WHERE state = 'waiting'",
  "CREATE INDEX approvals_person ON approvals (person) WHERE state = 'waiting'",
  'CREATE INDEX approvals_asked ON approvals (asked_at)',
  'CREATE INDEX approvals_account ON approvals (account_id) WHERE account_id IS NOT NULL',
]
