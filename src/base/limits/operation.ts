/**
 * Every number that an operator can meet and no setting changes: of mail, retention, the database and the life of a node. The
 * relations between them are checked when the file is loaded, as in limits.ts.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../time.ts'

// Mail
/** Mails that are sent at a time, each through a connection of its own. */
export const MAILS_AT_ONCE = 4
/** The time limits of a connection, and of a mail with its connection; and the time after which an idle connection is closed. */
export const SMTP_MS = { connect: 5 * SECOND_MS, send: 20 * SECOND_MS, idle: 30 * SECOND_MS }
/** A node that takes a mail must send it within this time, or another one takes it. */
export const MAIL_LEASE_MS = MINUTE_MS
/** Mails that other processes queued, or that are due again, are looked for this often. */
export const MAIL_POLL_MS = SECOND_MS
/** Pauses after failures: at most a minute, so that mails are sent within a minute after an outage of any length. */
export const MAIL_BACKOFF_MS = { least: SECOND_MS, most: MINUTE_MS }
/** Permanent rejections are retried, because servers sometimes send them by mistake. */
export const MAIL_REFUSALS = 3
/** The time for which mails that were written to files are kept. */
export const MAIL_FILE_MS = DAY_MS
/** RFC 5321, section 4.5.4.1, asks senders to retry for 4 to 5 days. */
export const MAIL_AGE_MS = 5 * DAY_MS

// Webhooks
/** The time limit of a message with its connection, and the size limit of a reply's head; the body of a reply is not read. */
export const WEBHOOK_MS = 10 * SECOND_MS
export const WEBHOOK_REPLY_HEADER_BYTES = 8 * 1_024
/** A node that takes a delivery must try it within this time, or another one takes it. */
export const WEBHOOK_LEASE_MS = MINUTE_MS
export const WEBHOOK_POLL_MS = SECOND_MS
/** The most messages that are sent to an endpoint at a time, and events that one transaction queues. */
export const WEBHOOKS_AT_ONCE = 4
export const WEBHOOK_BATCH = 500
/** Pauses after tries that failed; the last is repeated until an event is parked. */
export const WEBHOOK_RETRY_MS = [1, 5, 30, 120, 600, 1_800, 3_600].map((seconds) => seconds * SECOND_MS)
/** The time for which events and their deliveries are kept and may be replayed; and that after which a delivery is parked. */
export const WEBHOOK_KEPT_MS = 30 * DAY_MS
export const WEBHOOK_AGE_MS = 3 * DAY_MS
/** The number of tries during which an event holds back later ones of its account. */
export const WEBHOOK_HOLDING_TRIES = 5
/** The most events that one request may name to be sent again. */
export const WEBHOOK_REPLAYED_IDS = 1_000
/** The most characters of an endpoint's URL. */
export const WEBHOOK_URL_CHARACTERS = 2_000
/** Longer than any pause between two tries of a mail or delivery. */
export const LONGEST_PAUSE_MS = 2 * HOUR_MS

// Retention
/** The bounds of QUANTD_AUDIT_RETENTION_DAYS. */
export const AUDIT_DAYS = { least: 1, most: 36_500 }
export const EXPIRED_GUEST_MS = WEEK_MS
/** The time for which rows of sent and abandoned mails are kept, without their text, to show the outcome. */
export const SENT_MAIL_MS = WEEK_MS
/** The last calls of a deleted account, or of a key that has ended, have ended after this time. */
export const ENDING_CALLS_MS = 5 * MINUTE_MS
/** The intervals at which a node looks for expired rows and for the acts of operators. */
export const TIDY_EVERY_MS = MINUTE_MS
/** The interval at which a node looks for balances that have crossed a threshold, and the least time between two mails of one. */
export const NOTICES_EVERY_MS = 2 * SECOND_MS
export const NOTICE_PAUSE_MS = HOUR_MS
/** Each reading goes back this far, because an act is visible only after its COMMIT. */
export const OPERATOR_ACTS_MS = 3 * MINUTE_MS

// Database
/** A caller gets 503 within this time if the database cannot be reached: a connection and an answer. */
const UNAVAILABLE_MS = 2 * SECOND_MS
/** The time for which a result of /readyz is shared, and that after which a ping of the database counts as failed. */
export const READINESS_MS = { fresh: 500, most: 1_400 }
export const CONNECT_MS = 800
export const ANSWER_MS = SECOND_MS
/** At a start the limits are longer, because nobody waits for a reply: a server may be loaded, and migrations build indexes. */
export const DATABASE_START_MS = { connect: 10 * SECOND_MS, answer: 10 * MINUTE_MS }
export const POOLED_CONNECTIONS = 8
/** The time limit of a statement of an account endpoint. */
export const STATEMENT_MS = 10 * SECOND_MS
/**
 * The same on Citus, where a server that does not answer would otherwise occupy all connections: the coordinator gives up after
 * `server`, and the node after `most`.
 */
export const CLUSTER_STATEMENT_MS = { server: SECOND_MS, most: 1_500 }
/** The longest wait of a group commit for a row lock, and of a change of the audit's partitions for a table. */
export const ROW_LOCK_MS = 300
export const PARTITION_LOCK_MS = 200
/** Free disk, in MiB, below which requests without a key are refused (0: it is not looked at), and so many rows of theirs. */
export const MIN_FREE_MIB = { least: 0, usual: 256, most: 1_048_576 }
export const UNPAID_ROWS = { least: 1, usual: 1_000_000, most: 1_000_000_000 }
export const UNPAID_LOOK_MS = 10 * SECOND_MS
/** The time in which the unknown outcome of a COMMIT must be found; after it, the calls fail and are refunded later. */
export const UNKNOWN_OUTCOME_MS = 500
/** The most groups that a checkpoint signs, all of which a receipt reads; and the most events that it gives groups at once. */
export const CHECKPOINT_GROUPS = 1_024
export const CHECKPOINT_EVENTS = 500
/** A row is committed, and an event gets its group, at most this long after the first checkpoint that is later than it. */
export const CHECKPOINT_SLACK_MS = 10 * MINUTE_MS
/** The time after the migration to proofs for which nodes of the version without them may still run. */
export const UPGRADE_MS = DAY_MS
/** The least time between two checkpoints of a node. */
export const CHECKPOINT_EVERY_MS = SECOND_MS
/** A stream that was last signed this long before a checkpoint has ended; a writer that was idle for half of it opens another. */
export const STREAM_MS = 2 * DAY_MS
export const REFUND_RETRY_MS = 500
/** The clocks of a node and of the database differ by less than this. */
export const CLOCK_DIFFERENCE_MS = DAY_MS
/** A clock that is set back by more than this was wrong before: windows and periods that begin in the future are over. */
export const CLOCK_BACK_MS = HOUR_MS
/** More than the age of an earlier attempt at a group plus CLOCK_DIFFERENCE_MS. */
export const GROUP_AGE_MS = 2 * DAY_MS
/** A start warns if the clocks differ by more than this, or if the newest audit row is older than this. */
export const CLOCK_WARNING_MS = 5 * MINUTE_MS
export const NEWEST_ROW_MS = 30 * DAY_MS
/**
 * A standby that is further behind than `lag` is not used; one that cannot be used is tried again after `retry`. An export
 * waits at most `wait` for a standby to reach a position of the primary's log.
 */
export const REPLICA_MS = { lag: 10 * SECOND_MS, retry: 2 * SECOND_MS, begin: 500, wait: 2 * SECOND_MS }
/** The longest wait on SQLite for the lock of another process: of a transaction of the service, and of a reader beside it. */
export const SQLITE_LOCK_MS = { service: 1_500, reader: 5 * SECOND_MS }
/** After an erasure, SQLite's log is emptied: so soon, and tried again so often while another connection reads. */
export const EMPTY_LOG_MS = { delay: SECOND_MS, retry: 5 * SECOND_MS }
/** The time for which a command of an operator tries to get the lock, which the service takes again and again under load. */
export const COMMAND_LOCK_MS = 15 * SECOND_MS

// Alerts
/** A node evaluates the causes, and is seen by the others, this often; it keeps readings for the longest span of a rule. */
export const ALERTS_EVERY_MS = MINUTE_MS
export const ALERTS_SPAN_MS = 10 * MINUTE_MS
/** A node that was not seen for this time may be down; the alert is sent a minute later. */
export const NODE_SILENT_MS = 2 * MINUTE_MS
/** After this time a node that stopped, or that never came back, is forgotten and its alerts end. */
export const NODE_STOPPED_MS = HOUR_MS
export const NODE_FORGOTTEN_MS = DAY_MS
/** The most addresses in QUANTD_ALERTS. */
export const ALERT_MAILS = 10

// Operation
/** Clients whose failures without an account the log counts by name in a minute. */
export const LOGGED_CLIENTS = 1_000
/** A METRICS_TOKEN of hexadecimal digits then has 64 bits. */
export const TOKEN_CHARACTERS = 16
/** The most that QUANTD_STOP_DELAY_SECONDS may be. */
export const MAX_STOP_DELAY_S = 3_600
/** The time that clients have to notice that their connections end. */
export const DRAIN_MS = SECOND_MS
/** The time limit of a start, which is less than that of the systemd unit and the Helm chart. */
export const START_MS = MINUTE_MS
export const START_RETRY_MS = { least: 250, most: 5 * SECOND_MS }
/** The pauses before a node that ended is replaced: `least` again once a node has run for `lasting`. */
export const NODE_RESTART_MS = { least: SECOND_MS, most: 30 * SECOND_MS, lasting: MINUTE_MS }
/** The file of master keys is read this often; after the wait of a rotation every node writes with the new key. */
export const MASTER_KEY_READ_MS = 10 * SECOND_MS
export const MASTER_KEY_WAIT_S = 45
/** The interval at which a node looks for a newer plan, and the time within which it is in force on every node. */
export const PLAN_READ_MS = 2 * SECOND_MS
const PLAN_IN_FORCE_MS = 5 * SECOND_MS
/** A scrape of the metrics waits no longer for the database. */
export const METRICS_DATABASE_MS = 2 * SECOND_MS
/** Connections to the metrics: more would take the files that the database opens. */
export const METRICS_CONNECTIONS = 32

for (const [holds, relation] of [
  [SMTP_MS.connect < SMTP_MS.send && SMTP_MS.send < MAIL_LEASE_MS, 'a mail is sent by one node at a time'],
  [WEBHOOK_MS < WEBHOOK_LEASE_MS, 'a webhook is sent by one node at a time'],
  [
    [...WEBHOOK_RETRY_MS, WEBHOOK_LEASE_MS, MAIL_BACKOFF_MS.most, MAIL_LEASE_MS].every(
      (pause) => pause < LONGEST_PAUSE_MS,
    ),
    'what is due later than any pause was put off by a wrong clock',
  ],
  [TIDY_EVERY_MS * 2 < OPERATOR_ACTS_MS, 'no act of an operator is missed'],
  [CONNECT_MS + ANSWER_MS < UNAVAILABLE_MS, 'a caller gets 503 in time'],
  [
    CLUSTER_STATEMENT_MS.server < CLUSTER_STATEMENT_MS.most && CLUSTER_STATEMENT_MS.most < UNAVAILABLE_MS,
    'a worker that does not answer delays the accounts of the others by less than 2 s',
  ],
  [SQLITE_LOCK_MS.service < UNAVAILABLE_MS, 'a caller gets 503 in time on SQLite'],
  [READINESS_MS.fresh + READINESS_MS.most < UNAVAILABLE_MS, '/readyz notices a lost database as soon'],
  [PARTITION_LOCK_MS < ROW_LOCK_MS && ROW_LOCK_MS < ANSWER_MS, 'calls outlast a change of the partitions'],
  [GROUP_AGE_MS > CLOCK_DIFFERENCE_MS, 'a group that is tried again finds its rows'],
  [PLAN_READ_MS + ANSWER_MS < PLAN_IN_FORCE_MS, 'a plan is in force on every node in time'],
  [1_000 * MASTER_KEY_WAIT_S > 4 * MASTER_KEY_READ_MS, 'every node has read a key that encrypts'],
] as const)
  if (!holds) throw new Error(`src/base/limits/operation.ts: it does not hold that ${relation}`)

// Operators
export const OPERATOR_PAGE = { usual: 50, most: 1_000 }
export const OPERATOR_REASON_CHARACTERS = 500
export const OPERATOR_NAME_CHARACTERS = 100
export const REQUEST_ID_CHARACTERS = 200
/**
 * The accounts of SQLite that a list examines for its filter and order, in a thread, and the team keys' owners among which a text is
 * searched; and the words of a search.
 */
export const ACCOUNTS_EXAMINED = 500_000
export const KEY_OWNERS_FOUND = 1_000
export const SEARCH_WORDS = 5
/** The most other calls that the page of a call lists. */
export const CALLS_SHOWN = 20
/** A request for the activity reads the audit for at most this time; the next request continues. */
export const ACTIVITY_BUDGET_MS = 300
/** The longest range of the charts, and the most spans of one length whose sums a node keeps. */
export const ACTIVITY_HOURS = 92 * 24
export const ACTIVITY_SPANS = { short: 600, hours: 2 * ACTIVITY_HOURS }
/** A node keeps such sums of all accounts together, and of so many single ones. */
export const ACTIVITY_ACCOUNTS = 8
/** The number of accounts of a span, those that spent most, among which the list of accounts running out is searched. */
export const SPENDERS_A_SPAN = 1_000
/** The most counters of refusals that are summed; each counts one caller, code and minute. */
export const COUNTS_READ = 20_000
/** The accounts that are compared to find those that run out first, and those that are listed. */
export const RUNNING_OUT = { compared: 2_000, listed: 50, withinMs: WEEK_MS }
export const GRANTS_SHOWN = 100
export const FAULTS_SHOWN = 20
/** The longest session of an operator. */
export const OPERATOR_SESSION_MS = 12 * HOUR_MS
/** The longest session of a person who signed on at the provider, where the role may change. */
export const SIGNED_ON_SESSION_MS = HOUR_MS
/** The longest time between the redirection to the provider and the return. */
export const SIGN_ON_MS = 10 * MINUTE_MS
/** The provider's metadata are read again after this time. */
export const SIGN_ON_METADATA_MS = HOUR_MS
/** A provider that was away is asked again after this time, not at each request, because the requests wait for its answer. */
export const SIGN_ON_AWAY_MS = 3 * SECOND_MS
export const SIGN_ON_REPLY_BYTES = 1_048_576
/** The most lines in a minute with the reason of a failed sign-on, because strangers can cause failures. */
export const SIGN_ON_LOG_LINES = 20
/** The seconds by which the clocks of provider and node may differ. */
export const SIGN_ON_CLOCK_S = 30
/** The longest access token, and the most verified ones that a node remembers. */
export const ACCESS_TOKEN_CHARACTERS = 8_192
export const ACCESS_TOKENS_KNOWN = 10_000
/** An access token is verified again after this time, by keys that are not older. */
export const ACCESS_TOKEN_FRESH_MS = 5 * MINUTE_MS
/** Keys of the provider are used for this time while it does not answer. */
export const PROVIDER_KEYS_KEPT_MS = HOUR_MS
/** The provider's keys are read again for an unknown key at most this often, because strangers can name unknown keys. */
export const PROVIDER_KEYS_AGAIN_MS = MINUTE_MS
export const PROVIDER_KEYS = 100
/** The time for which an act waits for the second person, and that for which it is listed. */
export const APPROVAL_MS = DAY_MS
export const APPROVAL_KEPT_MS = 30 * DAY_MS
/** The most acts of a person that wait. */
export const WAITING_APPROVALS = 20
/** The time in which the credits are summed that a person moves without a second one. */
export const LONE_ACTS_MS = DAY_MS
/** The longest life of a token that a person makes who signed on: the provider does not report that the person has left. */
export const PERSONS_TOKEN_MS = 90 * DAY_MS
export const WRONG_TOKENS_PER_CLIENT = { limit: 60, windowMs: 10 * MINUTE_MS }
