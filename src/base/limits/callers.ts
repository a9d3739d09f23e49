/**
 * Every number that a caller can meet and no setting changes, and the defaults and bounds of settings; limits/operation.ts
 * has the numbers that an operator can meet. The relations between them on which code relies are checked at the end, when the
 * file is loaded: if a change breaks one, the service does not start.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time.ts'

const KIB = 1_024
export const MIB = 1_024 * KIB

// Contents of a request
/** Numbers in a request, and items in one field. */
export const MAX_NUMBERS = 1_000_000
/** Columns of a matrix. */
export const MAX_COLUMNS = 10_000
/** Calls in a batch. */
export const MAX_CALLS = 5_000
/** Failed rows of columns that a reply describes. */
export const MAX_ROW_ERRORS = 1_000
/** Computing time that a request may be estimated at. */
export const MAX_WORK_MICROS = 25_000_000
/** Limits of an isolation forest; descents are rows times trees. */
export const MAX_TREES = 1_000
export const MAX_DESCENTS = 20_000_000
export const MAX_SAMPLES = 65_536
/** Limits of migration matrices. */
export const MAX_RATINGS = 200
export const MAX_PERIODS = 10_000
export const MAX_TIMES = 1_000
/** Rows of a rating history in Arrow; as JSON, three of their values count as numbers. */
export const MAX_HISTORY_ROWS = 10_000_000
/** Samples of a bootstrap. */
export const MAX_BOOTSTRAP_SAMPLES = 10_000
/** Quotes that a pricing model is fitted to. */
export const MAX_QUOTES = 2_000
export const LEAST_QUOTES = 3
/** Bins of a calibration, or of a comparison of two samples. */
export const MAX_BINS = 1_000
/** Nesting of JSON. */
export const MAX_DEPTH = 32
/** Commas of a JSON body: a matrix of a million rows of one number has two million values. */
export const MAX_VALUES = 2_100_000
/** Different names and texts in a JSON body. */
export const MAX_STRINGS = 1_000
/** Fields of a JSON object: more than any request has. */
export const MAX_FIELDS = 100

// The part of a request that a failure shows
/** The faults that `details` lists, and the unknown query parameters that a message names. */
export const MAX_DETAILS = 5
export const MAX_UNKNOWN_PARAMETERS = 20
/** Characters of a name that the caller chose. */
export const MAX_NAME_CHARACTERS = 100
/** Characters of the name of a column in a table. */
export const MAX_COLUMN_NAME_CHARACTERS = 200
/** Characters of a path; every path of the service is shorter. */
export const MAX_PATH_CHARACTERS = 200

// Bodies
/** The default and bounds of QUANTD_BODY_LIMIT. */
export const BODY_BYTES = { least: KIB, usual: 16 * MIB, most: 1_024 * MIB }
/** Up to this size a body is received without a `peek` at the account, and does not count in the budget of all bodies. */
export const SMALL_BODY_BYTES = 64 * KIB
/** The limit on bodies of account endpoints, which are parsed on the event loop. */
export const ACCOUNT_BODY_BYTES = 64 * KIB
/** All bodies that are being received may together hold this many times the limit of one. */
export const BODIES_AT_ONCE = 16
export const LARGE_BODIES_PER_ACCOUNT = 4
/** Shared memory for a body of columns and its results. */
export const BODY_BLOCK_BYTES = 16 * MIB
/** One account may fill all blocks; more are not needed, because only few computations run at a time. */
export const BODY_BLOCKS = LARGE_BODIES_PER_ACCOUNT

// Where a call is computed
/** Up to these limits a body is parsed and its job run before admission, which saves a transaction. */
export const UNPAID = { bytes: 8 * KIB, micros: 500 }
/** Up to these limits a body is parsed and its job run on the event loop. */
export const INLINE = { bytes: 64 * KIB, micros: 2_000 }
/** The calls of one account take at most this much of an iteration of the event loop. */
export const EVENT_LOOP_SHARE_MS = 2
/** The time for which a request may have threads: reading, computing and printing together. Waiting does not count. */
export const COMPUTATION_MS = 30 * SECOND_MS
/** The longest wait for a thread. */
export const WAIT_MS = 10 * SECOND_MS
export const THREAD_MIB = 1_024
/** How account types share the threads, and the threads beyond QUANTD_COMPUTE_THREADS that may run when a task of theirs begins. */
export const THREAD_SHARES = {
  guest: { weight: 0.1, furtherThreads: 4 },
  free: { weight: 1, furtherThreads: 6 },
  basic: { weight: 2, furtherThreads: 8 },
  standard: { weight: 4, furtherThreads: 8 },
  pro: { weight: 10, furtherThreads: 8 },
}
/** A further thread starts once each account that holds one is ahead of the waiting one by this much of its processor time. */
export const LAG_MS = 50
/** The most requests of an account in the pool: twice as many as its owner is advised to send at a time. */
export const TASKS_PER_ACCOUNT = 64
/** The most waiting tasks for each thread at which a further task, or the first one of an account, may wait. */
export const TASKS_PER_THREAD = 256
export const FIRST_TASKS_PER_THREAD = 1_024
/** The most that QUANTD_COMPUTE_THREADS and QUANTD_PROCESSES may be. */
export const MAX_THREADS = 256
export const MAX_PROCESSES = 256

// Connections and replies
/** The default and bounds of QUANTD_CONNECTIONS_PER_ADDRESS. */
export const CONNECTIONS_PER_ADDRESS = { least: 1, usual: 1_000, most: 1_000_000 }
/** A connection on which expected bytes do not move for this time is closed. */
export const SILENCE_MS = 10 * SECOND_MS
/** Pipelined requests that may wait on a connection, and their bytes; a connection with more is closed. */
export const WAITING_REQUESTS = 16
export const WAITING_BYTES = 256 * KIB
/** A request must have arrived within this time. */
export const REQUEST_MS = MINUTE_MS
/** When the service stops, requests that are still arriving this long after the port closed are refused. */
export const LAST_REQUESTS_MS = 10 * SECOND_MS
/** When the service stops, a reply must be read within this time. */
export const LAST_REPLIES_MS = 10 * SECOND_MS
/** When the service stops, the last connections are closed this long after the port. */
export const LAST_CONNECTIONS_MS = 70 * SECOND_MS
/** An idle connection is closed after this time. It is longer than that of proxies, so that they close it first. */
export const KEEP_ALIVE_MS = 72 * SECOND_MS
/** A proxy commonly closes an idle connection, and gives up a request, after this time. */
const PROXY_MS = MINUTE_MS
/** Bytes of a refused request's body that are received and discarded, so that its client can read the reply. */
export const DISCARDED_BYTES = BODY_BYTES.usual
/** Limits of the replies that the clients of one account, or all clients, have not read yet. */
export const UNREAD_BYTES = { perAccount: 64 * MIB, perProcess: 256 * MIB }
/** A client must read a reply within `graceMs` plus the time that its bytes take at this rate. */
export const READING = { graceMs: MINUTE_MS, leastBytesPerSecond: 256 * KIB }
/** Chromium keeps the answer to a preflight request no longer than this. */
export const PREFLIGHT_MS = 2 * HOUR_MS

// MCP
/** A message is parsed on the event loop, which takes up to 2 ms at this size. */
export const MCP_MESSAGE_BYTES = 128 * KIB
/** The limit on a message without the arguments of a tool call. It is low, because the SDK reads each value several times. */
export const MCP_ENVELOPE_BYTES = 8 * KIB
/** The limit on the arguments that the tool `quote` reads on the event loop. */
export const MCP_QUOTE_BYTES = 64 * KIB
/** Up to this length a model gets a result in full; longer ones are summarised. */
export const MCP_RESULT_CHARACTERS = 4 * KIB
/** The time for which clients may cache the list of tools, which changes with the version of the service only. */
export const MCP_TOOLS_MS = HOUR_MS
/** The pauses before `quantd mcp` repeats a tool call. Together they are longer than a restart of the service. */
export const MCP_RETRIES_MS = [200, 500, 1_000, 2_000, 4_000, 8_000, 15_000]

// Credits and rate limits
/** The defaults of QUANTD_TIERS: requests per hour and per day. */
export const TIER_REQUESTS = {
  guest: { hour: 60, day: 50 },
  free: { hour: 500, day: null },
  basic: { hour: 1_000, day: null },
  standard: { hour: 2_000, day: null },
  pro: { hour: 5_000, day: null },
}
export const MAX_TIER_REQUESTS = 1_000_000_000
/** The defaults of QUANTD_WORK: processor seconds an hour. */
export const TIER_WORK = { guest: 60, free: 600, basic: 1_200, standard: 2_400, pro: 6_000 }
export const MAX_TIER_WORK = 1_000_000_000
/** The defaults of QUANTD_INITIAL_CREDITS. */
export const INITIAL_CREDITS = { registered: 350, guest: 50 }
/** The plan of a store that is opened without settings. */
export const SPECIFIED_PLAN = { tiers: TIER_REQUESTS, work: TIER_WORK, lowCredits: 0 }
/** The most credits in a setting or a grant. */
export const MAX_CREDITS = 1_000_000_000
/** The most credits that QUANTD_COSTS may set for a started second. */
export const MAX_CREDITS_PER_SECOND = 999_999
/**
 * Requests per minute and account: to account endpoints, MCP messages that compute nothing, and repetitions of a bound
 * idempotency key.
 */
export const MINUTE_REQUESTS = 120
/** The number of these after which team keys are refused, so that the account's owner can still revoke them. */
export const MINUTE_REQUESTS_OF_TEAM_KEYS = 60
/** The time for which an idempotency key is bound to its request. */
export const IDEMPOTENCY_MS = DAY_MS
export const IDEMPOTENCY_KEY_CHARACTERS = 255
/** Repetitions of one idempotency key: enough for lost replies, too few to compute for free. */
export const MAX_REPLAYS = 10
/** A usable key is not looked up again for this time: admission checks it within its transaction. */
export const KEY_FRESH_MS = 100
/** On Citus, the keys whose account a node remembers; for other keys it asks all servers. */
export const KNOWN_KEYS = 100_000

// Accounts: attempts by client address, unless QUANTD_IP_LIMITS is off
export const GUESTS_PER_CLIENT = { limit: 1_000, windowMs: HOUR_MS }
/** Registrations and other requests that send mail to an address in the request. */
export const MAIL_REQUESTS_PER_CLIENT = { limit: 300, windowMs: HOUR_MS }
/** Logins and mailed codes. */
export const GUESSES_PER_CLIENT = { limit: 600, windowMs: 10 * MINUTE_MS }

// Accounts: attempts by e-mail address
export const WRONG_PASSWORDS_PER_CLIENT = { limit: 10, windowMs: 15 * MINUTE_MS }
export const WRONG_PASSWORDS = { limit: 100, windowMs: HOUR_MS }
/** A client from which the password was reset is exempt from the limit over all clients for this time. */
export const OWNERS_CLIENT_MS = 30 * DAY_MS
/** Wrong guesses at all codes that were mailed to an address, and at one of them. */
export const WRONG_CODES = { limit: 20, windowMs: HOUR_MS }
export const GUESSES_PER_CODE = 5
/** TOTP codes; and recovery codes from one client address. */
export const WRONG_SECOND_FACTORS = { limit: 10, windowMs: 15 * MINUTE_MS }
/**
 * Mails to one mailbox: those that one client may cause, and those of all clients. After these, a reserve is left for clients
 * that have not caused a mail yet.
 */
export const MAILS_PER_CLIENT = { limit: 5, windowMs: HOUR_MS }
export const MAILS = { limit: 10, windowMs: HOUR_MS }
export const MAIL_RESERVE = { limit: 20, windowMs: HOUR_MS }
/** The least time between two codes that are mailed to an address. */
export const MAIL_PAUSE_MS = MINUTE_MS
/** Notices of a new key to one account. */
export const KEY_NOTICES = { limit: 1, windowMs: HOUR_MS }

// Accounts: fields, lifetimes and pages
export const USERNAME_CHARACTERS = 100
export const FULL_NAME_CHARACTERS = 200
export const DEVICE_CHARACTERS = 200
export const TEAM_KEY_NAME_CHARACTERS = 100
export const TEAM_KEY_PATHS = 100
/** Ranges of addresses from which a team key may be used. */
export const TEAM_KEY_IPS = 20
/** Team keys of an account that are neither revoked nor expired. */
export const TEAM_KEYS = 100
/** Grants of an account that expire and have credits left; every call of the account reads them. */
export const LOTS = 1_000
/** Team keys of an account that are listed, including revoked ones. */
export const TEAM_KEYS_LISTED = 1_000
/** The most that a team key's cap or hourly limit may be. */
export const TEAM_KEY_MOST = 1e12
/** Balances of an account at which its owner gets a mail. */
export const NOTICE_THRESHOLDS = 10
/** The longest time for which a rotation may leave the old key valid beside the new one. */
export const TEAM_KEY_OVERLAP_SECONDS = 604_800
export const EMAIL_CHARACTERS = { least: 3, most: 254 }
/**
 * JSON Schema pattern (Unicode) of one e-mail address without display name, safe in a mail header and in SMTP. The domain
 * holds letters, digits, dots (also the ideographic ones), hyphens and underscores: other characters would be decoded or cut
 * off when it is brought into one spelling.
 */
export const EMAIL_ADDRESS = '^[^\\s\\p{C}@,;:<>()\\[\\]"\\\\]+@[\\p{L}\\p{M}\\p{N}_.。．｡-]+$'
export const PASSWORD_CHARACTERS = { least: 8, most: 128 }
/** Hashes of passwords that run at a time, each with 19 MiB and one of libuv's four threads; and hashes that wait. */
export const PASSWORD_HASHES = { concurrent: 2, waiting: 200 }
/** The least time of a reply that could reveal whether an address is known, and of a login. */
export const PADDED_MS = { reply: 50, login: 100 }
export const GUEST_LIFETIME_MS = DAY_MS
export const CODE_LIFETIME_MS = 10 * MINUTE_MS
/** The time for which a registration can be renewed. */
export const REGISTRATION_MS = DAY_MS
export const RECOVERY_CODES = 10
/** Limits of a page of an account's export: its records, and the days of the audit that are read for it. */
export const EXPORT_PAGE = { records: 1_000, days: 32 }
/** The time for which the cursor of a page of the export is valid. */
export const EXPORT_MS = HOUR_MS
/** Items of a page of the history. */
export const USAGE_ITEMS = { usual: 50, most: 1_000 }
/** Rows of an account that a page of the history reads to filter them by path and status, which no index contains. */
export const USAGE_ROWS = 4_000

for (const [holds, relation] of [
  [MAX_COLUMNS <= MAX_NUMBERS && MAX_CALLS <= MAX_NUMBERS, 'no list has more items than a field may have'],
  [MAX_VALUES >= 2 * MAX_NUMBERS, 'a matrix of one column is read'],
  [
    (MAX_NUMBERS + MAX_WORK_MICROS / 1e6) * MAX_CREDITS_PER_SECOND <= Number.MAX_SAFE_INTEGER,
    'the cost of a request is exact',
  ],
  [8 * MAX_NUMBERS <= BODY_BYTES.usual, 'the numbers of an Arrow request fit into a body'],
  [2 * 8 * MAX_NUMBERS <= BODY_BLOCK_BYTES, 'columns and their results fit into a block'],
  [SMALL_BODY_BYTES <= BODY_BYTES.usual, 'a small body is accepted'],
  [ACCOUNT_BODY_BYTES <= SMALL_BODY_BYTES, 'large bodies keep no request about an account out'],
  [LARGE_BODIES_PER_ACCOUNT < BODIES_AT_ONCE, 'one account leaves room for bodies of others'],
  [UNPAID.bytes <= INLINE.bytes, 'a body that is read unpaid is read inline'],
  [UNPAID.micros <= INLINE.micros, 'a job that is run unpaid is run inline'],
  [INLINE.micros <= 1_000 * EVENT_LOOP_SHARE_MS, 'a call computed inline fits into a share'],
  [MAX_WORK_MICROS < 1_000 * COMPUTATION_MS, 'an admitted request can be computed in time'],
  [TASKS_PER_ACCOUNT < TASKS_PER_THREAD, 'one account leaves room in the queue for tasks of others'],
  [
    WAIT_MS + COMPUTATION_MS < PROXY_MS && PROXY_MS < KEEP_ALIVE_MS,
    'a proxy gets its replies on open connections',
  ],
  [TASKS_PER_THREAD < FIRST_TASKS_PER_THREAD, 'accounts with many tasks do not keep others out of the queue'],
  [SILENCE_MS < REQUEST_MS, 'a request that stops arriving is noticed before one that is slow'],
  [
    LAST_REQUESTS_MS + WAIT_MS + COMPUTATION_MS + LAST_REPLIES_MS < LAST_CONNECTIONS_MS,
    'a request that arrives while the service stops is answered',
  ],
  [UNREAD_BYTES.perAccount < UNREAD_BYTES.perProcess, 'one account leaves room for replies of others'],
  [MCP_QUOTE_BYTES + MCP_ENVELOPE_BYTES <= MCP_MESSAGE_BYTES, 'the arguments of a quote fit into a message'],
  [COMPUTATION_MS < IDEMPOTENCY_MS, 'a call whose reply was lost can be repeated'],
  [CODE_LIFETIME_MS < REGISTRATION_MS, 'a code does not outlive its registration'],
  [MAIL_PAUSE_MS < CODE_LIFETIME_MS, 'a new code can be had before the last one ends'],
  [MINUTE_REQUESTS_OF_TEAM_KEYS < MINUTE_REQUESTS, 'team keys leave their owner requests to revoke them'],
  [GUESSES_PER_CODE < WRONG_CODES.limit, 'one code does not use up the guesses of an address'],
  [WRONG_PASSWORDS_PER_CLIENT.limit < WRONG_PASSWORDS.limit, 'one client does not lock an address'],
  [MAILS_PER_CLIENT.limit < MAILS.limit, 'one client does not use up the mails of a mailbox'],
] as const)
  if (!holds) throw new Error(`src/base/limits/callers.ts: it does not hold that ${relation}`)
