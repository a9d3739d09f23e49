/** Requests and results of the operators' interface, generated from the declarations of the service by `npm run generate`; do not edit. */

export interface ActOptions {
  /** Aborts the request, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

export interface HealthDataBackup {
  /** when */
  at: string
  /** person or token that noted it */
  by: string
  is_present_key: boolean
}

export interface HealthDataAlerts {
  /** name */
  alert: string
  /** severity of the cause */
  severity: 'critical' | 'warning'
  /** the node; null: the database of all nodes */
  node: string | null
  /** when it was sent */
  since: string
  /** the fault */
  summary: string
}

export interface HealthData {
  /** whether the database commits */
  ready: boolean
  /** why the service is not ready */
  problem?: string
  /** version of this node */
  version: string
  /** when this node was started */
  started_at: string
  database: {
    /** the database */
    kind: 'sqlite' | 'postgres'
    /** time in which the database answered this request */
    round_trip_ms: number
    /** how it replicates; null: not known */
    replication: 'none' | 'synchronous' | 'asynchronous' | null
  }
  /** mails that are not sent yet */
  mails_waiting: number
  /** age of the oldest of them */
  oldest_mail_seconds: number
  /** the last check of all accounts; null: there was none */
  ledger_check: {
    /** when */
    at: string
    /** accounts whose balance differs from the ledger */
    differing: number
  } | null
  /** the last copy of the database; null: none is known */
  backup: HealthDataBackup | null
  /** the last copy of the master key; `is_present_key`: no rotation has replaced that key; null: none is known */
  master_key_copy: HealthDataBackup | null
  /** master keys that this node has */
  master_keys: number
  /** alerts that the service has sent and that are not over; null: `QUANTD_ALERTS` is not set */
  alerts: HealthDataAlerts[] | null
  /** the last replies of this node with status 500 and above, the newest first */
  errors: {
    /** the last time */
    at: string
    /** method */
    method: string
    /** path */
    path: string
    /** status */
    status: number
    /** failure code */
    code: string
    /** number of consecutive occurrences */
    times: number
    /** of the last */
    request_id: string
  }[]
}

export interface ActivityInput {
  /** length of the range in hours, which ends now, or at `to`; 1 … 2,208; default 24 */
  hours?: number
  /** end of the range (ISO 8601) */
  to?: string
  /** e-mail address or number of the account; absent: all */
  account?: string
}

export interface ActivityData {
  /** whether all of the range was read */
  complete: boolean
  /** beginning of the range, that of a piece */
  from: string
  /** end of the last piece */
  to: string
  /** length of a piece */
  piece_minutes: number
  total: {
    /** requests to computations that were admitted, those of guests included */
    requests: number
    /** those of them that failed */
    failures: number
    /** computations in the requests: those of a batch, or one for each row of columns */
    calls: number
    /** credits charged */
    credits: number
    /** median of the durations of the requests; null: there were none */
    p50_ms: number | null
    /** 99th percentile of the durations of the requests; null: there were none */
    p99_ms: number | null
  }
  /** failed requests, refusals and failed attempts by code, the most frequent first */
  failures: {
    /** failure code */
    code: string
    /** how often */
    times: number
  }[]
  pieces: ({
    /** beginning of the piece */
    from: string
    /** requests to computations that were admitted, those of guests included */
    requests: number
    /** those of them that failed */
    failures: number
    /** computations in the requests: those of a batch, or one for each row of columns */
    calls: number
    /** credits charged */
    credits: number
    /** median of the durations of the requests; null: there were none */
    p50_ms: number | null
    /** 99th percentile of the durations of the requests; null: there were none */
    p99_ms: number | null
  })[]
}

export interface RunningOutData {
  /** whether all of the 24 hours were read */
  complete: boolean
  items: ({
    account: AccountsShowData
    /** credits in the last 24 hours */
    spent: number
    /** calls that were refused for lack of credits */
    refused: number
    /** hours until the credits are spent; null: none were spent */
    hours_left: number | null
  })[]
}

export interface NotesInput {
  /** kind of the copy */
  what: 'backup' | 'master-key-copy'
  /** why, for the audit; printable characters */
  reason?: string
}

export interface NotesData {
  /** kind of the copy */
  what: string
  /** when */
  at: string
}

export interface AccountsInput {
  /** text to search for */
  q?: string
  /** account type; registered: all but guests */
  account_type?: 'registered' | 'guest' | 'free' | 'basic' | 'standard' | 'pro'
  /** state of the own key */
  state?: 'active' | 'suspended' | 'revoked'
  /** with at least so many credits; ≥ 0 */
  min_credits?: number
  /** with at most so many credits; ≥ 0 */
  max_credits?: number
  /** that computed in the hour from this time on, or later (ISO 8601) */
  used_since?: string
  /** that made no computation since this time (ISO 8601) */
  unused_since?: string
  /** order; by age, credits or last use; default "oldest" */
  sort?: 'newest' | 'oldest' | 'most_credits' | 'least_credits' | 'last_used' | 'longest_unused'
  /** items per page; 1 … 1,000; default 50 */
  limit?: number
  /** `next_cursor` of the previous page */
  cursor?: string
}

export interface AccountsDataItemsLots {
  /** credits that are left */
  credits: number
  /** when they expire */
  expires_at: string
}

export interface AccountsDataItemsLimits {
  hour: number
  day: number | null
  /** processor seconds an hour */
  work: number
  own_hour: number | null
  own_day: number | null
  own_work: number | null
}

export interface AccountsData {
  items: ({
    /** number of the account */
    account_id: number
    /** e-mail address; null for a guest */
    email: string | null
    /** username */
    username: string | null
    /** full name */
    full_name: string | null
    /** account type, guest included */
    account_type: string
    /** balance */
    credits: number
    /** sum of grants and transfers */
    granted?: number
    /** sum of charges less refunds */
    spent?: number
    /** credits that it owes; absent: none */
    debt?: number
    /** its credits that expire; absent: none do */
    lots?: AccountsDataItemsLots[]
    /** state of its own key; null: it has none */
    api_key_status: string | null
    /** when its own key was created */
    api_key_created_at: string | null
    /** first characters of its own key; null: they are not known */
    api_key_start: string | null
    /** computations an hour and a day, and those that were set for this account */
    limits: AccountsDataItemsLimits
    /** its own threshold of the event credits.low; null: that of the plan */
    low_credits: number | null
    /** whether the second factor is on */
    mfa_enabled: boolean
    /** when it was created */
    created_at: string | null
    /** when its address was confirmed */
    verified_at: string | null
    /** end of a guest account */
    expires_at: string | null
    /** the account that took this guest over */
    linked_to: number | null
    /** when the last of its hours with a computation began; null: it has made none */
    last_used_at: string | null
    /** what `q` agreed with; absent: address or names */
    found_by?: 'number' | 'key' | 'team_key'
  })[]
  /** whether no account was left out of the order */
  complete: boolean
  /** null on the last page */
  next_cursor: string | null
}

export interface AccountsShowInput {
  /** e-mail address or number of the account */
  account: string
}

export interface AccountsShowData {
  /** number of the account */
  account_id: number
  /** e-mail address; null for a guest */
  email: string | null
  /** username */
  username: string | null
  /** full name */
  full_name: string | null
  /** account type, guest included */
  account_type: string
  /** balance */
  credits: number
  /** sum of grants and transfers */
  granted?: number
  /** sum of charges less refunds */
  spent?: number
  /** credits that it owes; absent: none */
  debt?: number
  /** its credits that expire; absent: none do */
  lots?: AccountsDataItemsLots[]
  /** state of its own key; null: it has none */
  api_key_status: string | null
  /** when its own key was created */
  api_key_created_at: string | null
  /** first characters of its own key; null: they are not known */
  api_key_start: string | null
  /** computations an hour and a day, and those that were set for this account */
  limits: AccountsDataItemsLimits
  /** its own threshold of the event credits.low; null: that of the plan */
  low_credits: number | null
  /** whether the second factor is on */
  mfa_enabled: boolean
  /** when it was created */
  created_at: string | null
  /** when its address was confirmed */
  verified_at: string | null
  /** end of a guest account */
  expires_at: string | null
  /** the account that took this guest over */
  linked_to: number | null
  /** when the last of its hours with a computation began; null: it has made none */
  last_used_at: string | null
}

export interface AccountsCreateInput {
  /** e-mail address; case does not matter */
  email: string
  /** name used in mails to the account; need not be unique; 1 to 100 printable characters */
  username?: string
  /** full name; defaults to the username; 1 to 200 printable characters */
  full_name?: string
  /** password of 8 to 128 characters, any characters */
  password?: string
  /** account type; it determines the hourly limit */
  account_type?: 'free' | 'basic' | 'standard' | 'pro'
  /** initial credits; 0 … 1,000,000,000 */
  credits?: number
  /** why, for the audit; printable characters */
  reason?: string
}

export interface AccountsCreateData {
  account: AccountsShowData
  /** the API key, in full; send it as X-API-Key */
  api_key: string
  /** the password */
  password?: string
}

export interface AccountsSuspendInput {
  /** e-mail address or number of the account */
  account: string | number
  /** why, for the audit; printable characters */
  reason?: string
}

export interface AccountsSuspendData {
  /** false: the account was in that state already */
  changed: boolean
  account: AccountsShowData
}

export type AccountsUnsuspendInput = AccountsSuspendInput

export type AccountsUnsuspendData = AccountsSuspendData

export interface AccountsSetTierInput {
  /** e-mail address or number of the account */
  account: string | number
  /** account type; it determines the hourly limit */
  account_type: 'free' | 'basic' | 'standard' | 'pro'
  /** why, for the audit; printable characters */
  reason?: string
}

export type AccountsSetTierData = AccountsSuspendData

export interface AccountsSetLimitsInput {
  /** e-mail address or number of the account */
  account: string | number
  /** computations an hour; null: those of the type */
  hour?: number | null
  /** computations a day; null: those of the type */
  day?: number | null
  /** processor seconds an hour; null: those of the type */
  work?: number | null
  /** balance at which the event credits.low is sent; 0: never; null: that of the plan */
  low_credits?: number | null
  /** why, for the audit; printable characters */
  reason?: string
}

export type AccountsSetLimitsData = AccountsSuspendData

export type AccountsResetMfaInput = AccountsSuspendInput

export type AccountsResetMfaData = AccountsSuspendData

export type AccountsDeleteInput = AccountsSuspendInput

export interface AccountsDeleteData {
  /** number of the account */
  account_id: number
  deleted: boolean
}

export interface AccountsDetailsInput {
  /** e-mail address or number of the account */
  account: string
}

export interface AccountsDetailsData {
  windows: ({
    name: 'hour' | 'day' | 'work'
    /** computations in it; of work: processor seconds in an hour */
    limit: number
    /** those made or used */
    used: number
    /** when the window ends; null: no window is running */
    resets_at: string | null
  })[]
  /** changes of the balance except charges, the newest first */
  grants: ({
    /** when */
    at: string
    /** grant, transfer_in, transfer_out, reversal, expired */
    kind: string
    /** negative: taken away */
    credits: number
    /** the note, or the reason */
    note: string | null
    /** the reference; null: none */
    reference: string | null
    /** credits of the grant that were taken back; null: the movement has no reference */
    reversed: number | null
  })[]
  team_keys: KeysRevokeData[]
  usage: {
    /** totals by endpoint */
    by_endpoint: {
      /** path of the endpoint */
      path: string
      /** computations */
      calls: number
      /** credits charged */
      credits: number
    }[]
    /** totals by day */
    by_day: {
      /** day, UTC, YYYY-MM-DD */
      day: string
      /** computations */
      calls: number
      /** credits charged */
      credits: number
    }[]
    /** totals of the team keys that were used */
    by_key?: {
      /** id of the team key */
      key_id: number
      /** its name */
      key_name: string
      /** computations */
      calls: number
      /** credits charged */
      credits: number
    }[]
  }
}

export interface AccountsUsageInput {
  /** e-mail address or number of the account */
  account: string
  /** items per page; 1 … 1,000; default 50 */
  limit?: number
  /** `next_cursor` of the previous page */
  cursor?: string
  /** only calls of this path, for example /quantlib/pricing/bs/price */
  path?: string
  /** only calls with this outcome: success, failure, or an HTTP status such as 422 */
  status?: string
  /** only calls of this day, UTC, YYYY-MM-DD */
  day?: string
  /** only calls at this time or later: a day, which means its beginning, or a time with its zone (ISO 8601) */
  from?: string
  /** only calls before this time: a day, which means its beginning, or a time with its zone (ISO 8601) */
  to?: string
  /** only calls of the team key with this id; 1 … 2⁵³ − 1 */
  key?: number
  /** only calls with this X-Request-Id */
  request_id?: string
}

export interface AccountsUsageData {
  /** computations, newest first */
  items: {
    /** when (ISO 8601, UTC) */
    at: string
    /** path of the endpoint */
    path: string
    /** HTTP status of the reply */
    status: number
    /** credits charged */
    credits: number
    /** IP address of the client */
    ip: string
    /** duration in milliseconds */
    duration_ms: number
    /** X-Request-Id of the reply */
    request_id: string
    /** of a team key: its id */
    key_id?: number
    /** of a team key: its name */
    key_name?: string
  }[]
  /** send it as `cursor` to get the next page; null on the last page */
  next_cursor: string | null
}

export interface CallsShowInput {
  /** X-Request-Id of the reply, or the id of the row */
  request_id: string
}

export interface CallsShowDataCall {
  /** when */
  at: string
  /** id of a call or event */
  id: string | null
  /** number of the account; null: it is not known */
  account_id: number | null
  /** number of the key; null: the row belongs to none */
  key_id: number | null
  /** kind of the row */
  kind: 'computation' | 'account' | 'event' | 'refusal' | 'failed_attempt'
  /** method of the request */
  method: string | null
  /** path of the request */
  path: string | null
  /** status of the reply */
  status: number | null
  /** failure code, or name of the event; null: a success */
  code: string | null
  /** credits charged */
  credits: number
  /** computations, or counted refusals or attempts */
  calls: number
  /** address of the caller */
  ip: string
  /** id of the request */
  request_id: string | null
  /** time that the request took */
  duration_ms: number | null
  /** whether the result of an earlier request was returned again */
  replayed: boolean
  /** of a batch, its calls by operation; of other rows, facts that depend on their kind; null: none */
  detail: {
    /** path of the operation */
    path: string
    /** calls of it */
    calls: number
  }[] | Record<string, unknown> | null
}

export interface CallsShowData {
  call: CallsShowDataCall
  /** null: the call had none, or it was deleted */
  account: {
    /** number of the account */
    account_id: number
    /** e-mail address; null for a guest */
    email: string | null
    /** account type, guest included */
    account_type: string
  } | null
  /** null: the call had none */
  key: {
    /** number of the key */
    id: number
    /** its first characters */
    start: string | null
    /** active, suspended or revoked */
    status: string
    /** id of the team key; null: the account's own key */
    team_key_id: number | null
    /** name of the team key */
    name: string | null
  } | null
  /** credits of the call that were given back */
  refunded: number
  /** the key that is bound to the call or its repetitions; null: none is now */
  idempotency: {
    /** the Idempotency-Key */
    key: string
    /** until when it repeats the result */
    expires_at: string
    /** how often it was repeated */
    replays: number
  } | null
  /** the newest first */
  others: CallsShowDataCall[]
  /** events of the account that were written with the call */
  events: {
    /** webhook-id */
    id: string
    /** type of the event */
    type: string
    /** when */
    at: string
    /** data of the event */
    data: Record<string, unknown>
  }[]
  /** proven: a signed checkpoint contains the call; waiting: the next one will; unproven: it has no receipt */
  receipt_state: 'proven' | 'waiting' | 'unproven'
  /** the receipt; null: there is none yet */
  receipt: {
    /** version of the format: 1 */
    quantd_receipt: number
    leaf: {
      /** number of the account */
      account: number
      /** salted digest of the client address, hexadecimal */
      address: string
      /** when, in epoch milliseconds */
      at: number
      /** computations in it */
      calls: number
      /** failure code */
      code: string | null
      /** digest of the request and of the result, hexadecimal */
      content: string | null
      /** credits charged */
      credits: number
      /** of a batch: calls and credits by path, as JSON */
      detail: string | null
      /** duration in milliseconds */
      duration_ms: number
      /** id of the audit row */
      id: string
      /** number of the API key */
      key: number | null
      /** computation */
      kind: string
      /** HTTP method */
      method: string
      /** path of the endpoint */
      path: string
      /** whether an idempotency key repeated it */
      replayed: boolean
      /** X-Request-Id of the reply */
      request_id: string
      /** HTTP status of the reply */
      status: number
      /** version of the service */
      version: string
    }
    /** place of the row in its group, from 0 */
    index: number
    /** hashes from the row to the root of its group */
    path: string[]
    group: {
      /** time of its rows, in epoch milliseconds */
      at: number
      /** rows in it */
      leaves: number
      /** its place in the stream, from 1 */
      number: number
      /** link of the group before it, hexadecimal */
      previous: string
      /** number of the stream */
      stream: number
    }
    /** hashes from the group to the root in the checkpoint */
    way: string[]
    checkpoint: {
      /** when, in epoch milliseconds */
      at: number
      /** the database's clock, where it was behind `at`: the times of the rows are doubtful */
      clock?: number
      /** rows from before may have been deleted by retention */
      kept_from: number
      /** id of the key that signs it */
      key: string
      /** at a rotation: id of the key that signs the next one */
      next_key?: string
      /** its number, from 1 */
      number: number
      /** hash of the checkpoint before it, hexadecimal */
      previous: string | null
      /** rows from before have no proof */
      proven_from: number
      /** id of the database */
      service: string
      /** the groups that it adds */
      streams: {
        /** first group */
        first: number
        /** last group */
        last: number
        /** link of the last group, hexadecimal */
        head: string
        /** root of the tree of these groups, hexadecimal */
        root: string
        /** number of the stream */
        stream: number
      }[]
    }
    /** of the checkpoint */
    signatures: {
      /** id of the key */
      key: string
      /** Ed25519, base64url */
      signature: string
    }[]
  } | null
}

export interface KeysInput {
  /** e-mail address or number of the account */
  account: string
}

export interface KeysData {
  /** number of the account */
  account_id: number
  own_key: {
    /** state of the own key: active, suspended or revoked; null: it has none */
    status: string | null
    /** when the own key was created */
    created_at: string | null
  }
  items: KeysRevokeData[]
}

export interface KeysRevokeInput {
  /** e-mail address or number of the account */
  account: string | number
  /** number of the key; a rotation keeps it; 1 … 2⁵³ − 1 */
  id: number
  /** why, for the audit; printable characters */
  reason?: string
}

export interface KeysRevokeData {
  /** number of the key; a rotation keeps it; 1 … 2⁵³ − 1 */
  id: number
  /** name of the key */
  name: string
  /** first characters of the newest key */
  prefix: string
  /** last four characters of the newest key */
  last4: string
  /** whether the key is accepted */
  state: 'active' | 'expired' | 'revoked'
  /** paths of the operations that the key may call, also in a batch, as columns and as MCP tools; null: all */
  paths: string[] | null
  /** IP addresses, and ranges such as 192.0.2.0/24, from which the key may be used; null: all */
  allowed_ips: string[] | null
  /** credits that the key may spend in a period; null: as many as the account has */
  credit_cap: number | null
  /** when the cap renews; null: there is no cap */
  cap_period: 'total' | 'day' | 'month' | null
  /** when the cap renews next; null: never */
  cap_resets_at: string | null
  /** credits spent in the present period of the cap */
  spent: number
  /** credits spent by the key and those that it replaced */
  spent_total: number
  /** requests to computations an hour, within the limits of the account; null: only those */
  hourly_limit: number | null
  /** when the key was created (ISO 8601, UTC) */
  created_at: string
  /** when the key ends; null: never */
  expires_at: string | null
  /** when the key was last used, to the minute; null: never */
  last_used_at: string | null
}

export interface KeysReplaceInput {
  /** e-mail address or number of the account */
  account: string | number
  /** number of the key; a rotation keeps it; 1 … 2⁵³ − 1 */
  id?: number
  /** seconds for which the old key is accepted beside the new one; 0 … 604,800; default 0 */
  overlap_seconds?: number
  /** why, for the audit; printable characters */
  reason?: string
}

export interface KeysReplaceData {
  /** number of the account */
  account_id: number
  /** the API key, in full; send it as X-API-Key */
  key?: string
  team_key?: KeysRevokeData
}

export interface GrantsInput {
  /** e-mail address or number of the account */
  account: string | number
  /** credits; 1 … 1,000,000,000 */
  credits: number
  /** identifies the grant, for example the number of an invoice */
  reference: string
  /** reason, shown to the owner; printable characters */
  note?: string
  /** when the rest of the grant expires; absent: never (ISO 8601) */
  expires_at?: string
  /** why, for the audit; printable characters */
  reason?: string
}

export interface GrantsData {
  /** number of the account */
  account_id: number
  /** the reference */
  reference: string
  /** credits of the grant */
  granted: number
  /** balance */
  credits: number
  /** credits that the account owes; absent: none */
  debt?: number
  /** whether an earlier request had made the grant */
  replayed: boolean
}

export interface GrantsReverseInput {
  /** the reference of the grant */
  reference: string
  /** credits to take back; 1 … 1,000,000,000 */
  credits: number
  /** identifies the reversal, for example the number of a refund */
  reversal_reference: string
  /** why, for the audit; printable characters */
  reason?: string
}

export interface GrantsReverseData {
  /** number of the account */
  account_id: number
  /** the reference of the grant */
  reference: string
  /** the reference of the reversal */
  reversal_reference: string
  /** credits of the reversal */
  reversed: number
  /** balance */
  credits: number
  /** credits that the account owes; absent: none */
  debt?: number
  /** whether an earlier request had made the reversal */
  replayed: boolean
}

export interface VerifyLedgerInput {
  /** e-mail address or number of the account */
  account?: string | number
}

export interface VerifyLedgerData {
  /** whether all agree */
  ok: boolean
  /** accounts that were checked */
  accounts: number
  /** sum of their balances */
  credits: number
  /** SHA-256 over balances, movements and debits: equal for equal ledgers */
  digest: string
  violations: {
    /** number of the account */
    account_id: number
    /** balance */
    credits: number
    /** by the ledger */
    expected: number
    /** credits that the account owes; absent: none */
    debt?: number
    /** credits in its lots, where these exceed the balance */
    lots?: number
  }[]
  team_keys: {
    /** number of the account */
    account_id: number
    /** the team key */
    key_id: number
    /** credits that it has spent */
    spent: number
    /** credits that its calls were charged */
    expected: number
  }[]
  reversals: {
    /** number of the account */
    account_id: number
    /** the grant */
    reference: string
    /** its credits */
    credits: number
    /** credits that the grant counts as taken back */
    reversed: number
    /** credits that its reversals took back */
    expected: number
  }[]
}

export interface ApprovalsInput {
  /** `waiting`: only those that wait; default "all" */
  state?: 'all' | 'waiting'
  /** items per page; 1 … 1,000; default 50 */
  limit?: number
  /** `next_cursor` of the previous page */
  cursor?: string
}

export interface ApprovalsData {
  items: ({
    /** number of the approval; 1 … 2⁵³ − 1 */
    id: number
    /** name of the act */
    act: string
    /** path of its endpoint */
    path: string
    /** its request */
    request: Record<string, unknown>
    /** the account; null: it names none */
    account_id: number | null
    /** person who asked for it */
    asked_by: string
    /** why */
    reason: string | null
    /** when */
    asked_at: string
    /** when the wait ends without a decision */
    expires_at: string
    /** `waiting`, or how the wait ended */
    state: 'waiting' | 'confirmed' | 'rejected' | 'expired'
    /** person who confirmed or rejected it */
    decided_by: string | null
    /** when */
    decided_at: string | null
    /** address of the account; null: it has none, or was deleted */
    email: string | null
    /** whether the account was deleted since */
    account_deleted: boolean
    /** whether you asked for it */
    yours: boolean
  })[]
  /** null on the last page */
  next_cursor: string | null
}

export interface ApprovalsConfirmInput {
  /** number of the approval; 1 … 2⁵³ − 1 */
  id: number
  /** why, for the audit; printable characters */
  reason?: string
}

export interface ApprovalsConfirmData {
  /** number of the approval; 1 … 2⁵³ − 1 */
  id: number
  /** name of the act */
  act: string
  /** path of its endpoint */
  path: string
  /** its request */
  request: Record<string, unknown>
  /** the account; null: it names none */
  account_id: number | null
  /** person who asked for it */
  asked_by: string
  /** why */
  reason: string | null
  /** when */
  asked_at: string
  /** when the wait ends without a decision */
  expires_at: string
  /** `waiting`, or how the wait ended */
  state: 'waiting' | 'confirmed' | 'rejected' | 'expired'
  /** person who confirmed or rejected it */
  decided_by: string | null
  /** when */
  decided_at: string | null
  /** what the act has done */
  done?: string
}

export type ApprovalsRejectInput = ApprovalsConfirmInput

export type ApprovalsRejectData = ApprovalsConfirmData

export interface PlanDataTiersGuest {
  /** computations; 1 … 1,000,000,000 */
  hour: number
  day: number | null
}

export interface PlanDataPrice {
  /** price of one credit, with at most six decimal places, such as 0.002 */
  amount: string
  /** currency (ISO 4217), such as EUR */
  currency: string
}

export interface PlanData {
  /** version of the plan; 0: no version was made, and the settings are in force */
  version: number
  /** when it was made */
  made_at: string | null
  /** person or token that made it */
  made_by: string | null
  /** why */
  note: string | null
  tiers: {
    /** computations an hour and a day; a day of null has no limit */
    guest: PlanDataTiersGuest
    /** computations an hour and a day; a day of null has no limit */
    free: PlanDataTiersGuest
    /** computations an hour and a day; a day of null has no limit */
    basic: PlanDataTiersGuest
    /** computations an hour and a day; a day of null has no limit */
    standard: PlanDataTiersGuest
    /** computations an hour and a day; a day of null has no limit */
    pro: PlanDataTiersGuest
  }
  /** processor time by account type */
  work: {
    /** processor seconds an hour */
    guest: number
    /** processor seconds an hour */
    free: number
    /** processor seconds an hour */
    basic: number
    /** processor seconds an hour */
    standard: number
    /** processor seconds an hour */
    pro: number
  }
  initial_credits: {
    /** credits of a new account */
    registered: number
    /** credits of a new guest key */
    guest: number
  }
  /** balance at which the event credits.low is sent; 0: never */
  low_credits: number
  /** credits by operation, for each started second of the estimate of a call */
  costs: Record<string, unknown>
  /** of the operations whose costs operators have set: the credits by the settings */
  settings_costs: Record<string, unknown>
  /** price of a credit, by which statements state amounts; null: none */
  price: PlanDataPrice | null
  /** the values that operators have set; the others are those of the settings */
  set: string[]
}

export interface PlanSetInput {
  /** version that the change is based on; if another one is in force, nothing is changed; ≥ 0 */
  version: number
  /** limits by account type */
  tiers?: {
    guest?: PlanDataTiersGuest | null
    free?: PlanDataTiersGuest | null
    basic?: PlanDataTiersGuest | null
    standard?: PlanDataTiersGuest | null
    pro?: PlanDataTiersGuest | null
  }
  /** processor seconds an hour by account type */
  work?: {
    guest?: number | null
    free?: number | null
    basic?: number | null
    standard?: number | null
    pro?: number | null
  }
  /** credits of new accounts and guest keys */
  initial_credits?: {
    registered?: number | null
    guest?: number | null
  }
  /** balance at which the event credits.low is sent; 0: never */
  low_credits?: number | null
  /** credits by operation, for each started second of the estimate of a call */
  costs?: Record<string, unknown>
  /** price of a credit, which holds for calls from the next midnight (UTC) on; null: none */
  price?: PlanDataPrice | null
  /** reason, stored with the version; printable characters */
  note?: string
}

export interface PlanSetData {
  /** false: these values were set already */
  changed: boolean
  plan: PlanData
}

export interface PlanHistoryInput {
  /** items per page; 1 … 1,000; default 50 */
  limit?: number
  /** `next_cursor` of the previous page */
  cursor?: string
}

export interface PlanHistoryData {
  items: ({
    /** version of the plan; 0: no version was made, and the settings are in force */
    version: number
    /** when it was made */
    made_at: string | null
    /** person or token that made it */
    made_by: string | null
    /** why */
    note: string | null
    changes: ({
      /** name of the value */
      item: string
      /** credits, limits, processor seconds or a price; null: the value of the settings */
      from: number | PlanDataTiersGuest | PlanDataPrice | null
      /** credits, limits, processor seconds or a price; null: the value of the settings */
      to: number | PlanDataTiersGuest | PlanDataPrice | null
    })[]
  })[]
  /** null on the last page */
  next_cursor: string | null
}

export interface ReportsCostsInput {
  /** month, UTC, YYYY-MM */
  month: string
  /** e-mail address or number of the account; absent: all */
  account?: string
  /** format of the reply; default "json" */
  format?: 'json' | 'csv'
  /** items per page; 1 … 1,000; default 50 */
  limit?: number
  /** `next_cursor` of the previous page */
  cursor?: string
}

export interface ReportsCostsData {
  /** the month */
  month: string
  items: ({
    /** number of the account */
    account_id: number
    /** e-mail address; null: the account was deleted */
    email: string | null
    /** id of the team key; null: the account's own key */
    key_id: number | null
    /** its name */
    key_name: string | null
    /** the operation; null: refunds of calls whose rows are past their retention */
    path: string | null
    /** computations, including failed ones, which cost nothing */
    calls: number
    /** credits charged */
    credits: number
    /** credits given back in the month */
    refunded: number
  })[]
  /** sums of the items */
  totals: {
    /** computations, including failed ones, which cost nothing */
    calls: number
    /** credits charged */
    credits: number
    /** credits given back in the month */
    refunded: number
  }
  /** null on the last page */
  next_cursor: string | null
}

export interface ReportsStatementInput {
  /** e-mail address or number of the account */
  account: string
  /** month, UTC, YYYY-MM */
  month: string
  /** format of the reply; default "json" */
  format?: 'json' | 'csv'
}

export interface ReportsStatementData {
  /** the month */
  month: string
  /** number of the account */
  account_id: number
  /** e-mail address; null: the account was deleted */
  email: string | null
  /** credits less debt at the start of the month */
  opening: number
  /** credits less debt at its end, or now */
  closing: number
  movements: ({
    /** when */
    at: string
    /** grant, reversal, expired, transfer_in or transfer_out */
    kind: string
    /** credits added; negative: taken */
    credits: number
    /** the operator's reference */
    reference: string | null
    /** note */
    note: string | null
  })[]
  usage: ({
    /** first day on which the price held */
    from: string
    /** last day on which it held */
    until: string
    /** id of the team key; null: the account's own key */
    key_id: number | null
    /** its name */
    key_name: string | null
    /** the operation; null: refunds of calls whose rows are past their retention */
    path: string | null
    /** computations, including failed ones, which cost nothing */
    calls: number
    /** credits charged */
    credits: number
    /** credits given back in the month */
    refunded: number
    /** price of a credit, a decimal; null: credits had no price */
    price: string | null
    /** its currency */
    currency: string | null
    /** amount, a decimal; null: credits had no price */
    amount: string | null
  })[]
  totals: {
    /** computations, including failed ones, which cost nothing */
    calls: number
    /** credits charged */
    credits: number
    /** credits given back in the month */
    refunded: number
    /** requests that failed, which cost nothing */
    failed_requests: number
    amounts: {
      /** currency */
      currency: string
      /** amount */
      amount: string
    }[]
  }
}

export interface AuditInput {
  /** items per page; 1 … 1,000; default 50 */
  limit?: number
  /** `next_cursor` of the previous page */
  cursor?: string
  /** calls and events, events without calls (of one account), acts of operators, counted refusals, or counted failed attempts; default "calls" */
  rows?: 'calls' | 'events' | 'acts' | 'refusals' | 'failed_attempts'
  /** which rows come first; default "oldest" */
  order?: 'oldest' | 'newest'
  /** rows at or after this time (ISO 8601) */
  from?: string
  /** rows before this time (ISO 8601) */
  to?: string
  /** e-mail address or number of an account */
  account?: string
  /** rows of one request */
  request_id?: string
  /** format of the reply; default "json" */
  format?: 'json' | 'csv'
}

export interface AuditData {
  /** rows with the columns of `quantd admin export-audit` */
  items: CallsShowDataCall[]
  /** null on the last page */
  next_cursor: string | null
}

export interface UsageInput {
  /** items per page; 1 … 1,000; default 50 */
  limit?: number
  /** `next_cursor` of the previous page */
  cursor?: string
  /** day, UTC, YYYY-MM-DD */
  day: string
}

export interface UsageData {
  /** rows with the columns at, kind, id, account_id, key_id, team_key_id, path, status, calls, credits, replayed, duration_ms, parts */
  items: Record<string, unknown>[]
  totals?: {
    /** rows */
    rows: number
    /** computations */
    calls: number
    /** charges less refunds */
    credits: number
    /** refunds */
    refunds: number
  }
  /** null on the last page */
  next_cursor: string | null
}

export type MailsInput = PlanHistoryInput

export interface MailsData {
  items: ({
    /** id of the mail, from the list of mails */
    id: string
    /** recipient */
    to: string
    /** when it was written */
    created_at: string
    /** attempts so far */
    attempts: number
    /** when it is tried again */
    next_at: string
    /** error of the last attempt; null: there was none */
    last_error: string | null
  })[]
  /** null on the last page */
  next_cursor: string | null
}

export interface MailsSendInput {
  /** id of the mail, from the list of mails */
  id: string
  /** why, for the audit; printable characters */
  reason?: string
}

export interface MailsSendData {
  /** id of the mail, from the list of mails */
  id: string
  due: boolean
}

export interface TokensData {
  items: TokensRevokeData[]
}

export interface TokensCreateInput {
  /** name of the person or program, for the audit */
  name: string
  /** each role has all rights of those before it */
  role: 'viewer' | 'support' | 'billing' | 'admin'
  /** when it ends, at the latest (ISO 8601) */
  expires_at?: string
  /** why, for the audit; printable characters */
  reason?: string
}

export interface TokensCreateData {
  /** the token, in full */
  token: string
  /** number of the token */
  id: number
  /** name */
  name: string
  /** each role has all rights of those before it */
  role: 'viewer' | 'support' | 'billing' | 'admin'
  /** when it was created */
  created_at: string
  /** when it ends; null: never */
  expires_at: string | null
  /** when it was revoked; null: it was not */
  revoked_at: string | null
  /** when it was last used, to the minute */
  last_used_at: string | null
  /** the token, person or login that made it; null: it was made before this was recorded */
  made_by: string | null
}

export interface TokensRevokeInput {
  /** number of the token; 1 … 2⁵³ − 1 */
  id: number
  /** why, for the audit; printable characters */
  reason?: string
}

export interface TokensRevokeData {
  /** number of the token */
  id: number
  /** name */
  name: string
  /** each role has all rights of those before it */
  role: 'viewer' | 'support' | 'billing' | 'admin'
  /** when it was created */
  created_at: string
  /** when it ends; null: never */
  expires_at: string | null
  /** when it was revoked; null: it was not */
  revoked_at: string | null
  /** when it was last used, to the minute */
  last_used_at: string | null
  /** the token, person or login that made it; null: it was made before this was recorded */
  made_by: string | null
}

export interface RotateMasterKeyInput {
  /** invalidate mailed codes that are under an older key; default false */
  drop_codes?: boolean
  /** why, for the audit; printable characters */
  reason?: string
}

export interface RotateMasterKeyData {
  /** the key that secrets are under now */
  master_key_id: string
  /** secrets by kind */
  rewrapped: Record<string, unknown>
  /** mailed codes that were invalidated */
  codes_dropped: number
  /** when the last mailed code under an older key expires; null: there is none */
  codes_left_until: string | null
  /** secrets that could not be decrypted */
  damaged: number
  /** whether older keys may be removed */
  old_keys_removable: boolean
  /** older master keys that are configured; 0: there is no key to rotate to or from */
  older_keys: number
}

export interface WebhooksData {
  items: ({
    /** number of the endpoint; 1 … 2⁵³ − 1 */
    id: number
    /** where events are sent */
    url: string
    /** types of events that it receives; null: all */
    types: string[] | null
    /** events that are to be sent */
    waiting: number
    /** events that were given up */
    parked: number
  })[]
}

export interface WebhooksDeliveriesInput {
  /** number of the endpoint; 1 … 2⁵³ − 1 */
  id: number
  /** only those that wait, that were delivered, or that were given up */
  state?: 'waiting' | 'delivered' | 'parked'
  /** whether each has its message */
  payload?: boolean
  /** items per page; 1 … 1,000; default 50 */
  limit?: number
  /** `next_cursor` of the previous page */
  cursor?: string
}

export interface WebhooksDeliveriesData {
  items: ({
    /** webhook-id of the message */
    id: string
    /** type of the event */
    type: string
    /** number of the account; null: the event is about the service */
    account_id: number | null
    /** when the event happened */
    at: string
    /** parked: it was given up */
    state: 'waiting' | 'delivered' | 'parked'
    /** tries so far */
    tries: number
    /** status of the last reply; null: none came */
    status: number | null
    /** when it is tried next; null: not any more */
    next_at: string | null
    /** when it was delivered; null: not yet */
    delivered_at: string | null
    /** the message */
    payload?: Record<string, unknown>
  })[]
  /** null on the last page */
  next_cursor: string | null
}

export interface WebhooksCreateInput {
  /** an https:// address */
  url: string
  /** types of events; absent: all; at least 1 item */
  types?: ('account.created' | 'credits.low' | 'credits.exhausted' | 'key.cap_exhausted' | 'key.created' | 'key.rotated' | 'key.revoked' | 'key.expired' | 'grant.created' | 'grant.reversed' | 'grant.expired' | 'usage.day' | 'alert.firing' | 'alert.resolved')[]
  /** why, for the audit; printable characters */
  reason?: string
}

export interface WebhooksCreateData {
  /** number of the endpoint; 1 … 2⁵³ − 1 */
  id: number
  /** where events are sent */
  url: string
  /** types of events that it receives; null: all */
  types: string[] | null
  /** verifies signatures v1 */
  secret: string
  /** verifies signatures v1a */
  public_key: string
}

export interface WebhooksTestInput {
  /** number of the endpoint; 1 … 2⁵³ − 1 */
  id: number
}

export interface WebhooksTestData {
  /** number of the endpoint; 1 … 2⁵³ − 1 */
  id: number
  /** whether the reply was 2xx */
  delivered: boolean
  /** status of the reply; null: none came, or the address is not allowed */
  status: number | null
}

export interface WebhooksReplayInput {
  /** number of the endpoint; 1 … 2⁵³ − 1 */
  id: number
  /** webhook-id of each message; 1 … 1,000 items */
  events?: string[]
  /** events since then (ISO 8601) */
  from?: string
  /** events before then; by default all (ISO 8601) */
  to?: string
  /** why, for the audit; printable characters */
  reason?: string
}

export interface WebhooksReplayData {
  /** number of the endpoint; 1 … 2⁵³ − 1 */
  id: number
  /** events that will be sent */
  events: number
}

export interface WebhooksDeleteInput {
  /** number of the endpoint; 1 … 2⁵³ − 1 */
  id: number
  /** why, for the audit; printable characters */
  reason?: string
}

export interface WebhooksDeleteData {
  /** number of the endpoint; 1 … 2⁵³ − 1 */
  id: number
  deleted: boolean
}

export interface AlertsData {
  /** whether `QUANTD_ALERTS` is set, so that the service sends alerts */
  on: boolean
  items: HealthDataAlerts[]
}

export interface AlertsTestInput {
  /** why, for the audit; printable characters */
  reason?: string
}

export interface AlertsTestData {
  /** mails that were queued */
  mails: number
  /** whether the event was written for webhooks */
  webhook: boolean
}

/** One method per endpoint. */
export interface Acts {
  /** Health. Returns whether the service is ready, the state of its database, the last errors of this node, the last check of the ledger, and the last copies of the database and of the master key that are known. Role: viewer. */
  health(options?: ActOptions): Promise<HealthData>
  /** Requests and calls of a range. Returns the requests of the last 24 hours or of another range, of all accounts or one, in total and in pieces: failures, durations, calls, credits. A request for them reads the audit for a limited time: repeat it until `complete` is true. Role: viewer. */
  activity(input?: ActivityInput, options?: ActOptions): Promise<ActivityData>
  /** Accounts that run out of credits. Lists the registered accounts that will have spent their credits within a week at the pace of the last 24 hours, or that were refused for lack of credits in that time, the most urgent first. Only the accounts that spend most are examined. Role: viewer. */
  runningOut(options?: ActOptions): Promise<RunningOutData>
  /** Note a copy. Notes that the database or the master key was copied just now, so that the age of the copy is known. `quantd backup` notes its copies itself. Role: support. */
  notes(input: NotesInput, options?: ActOptions): Promise<NotesData>
  /** Accounts. Lists the accounts, guests included. `q` finds them by the words of addresses and names, by domains, by the names of team keys, by their number, and by a key or its start. An order by credits or use compares the newest 500,000 accounts on SQLite; `complete` says whether these are all. Role: viewer. */
  accounts(input?: AccountsInput, options?: ActOptions): Promise<AccountsData>
  /** One account. Returns an account with its credits, limits and the state of its key. No secret is shown. Role: viewer. */
  accountsShow(input: AccountsShowInput, options?: ActOptions): Promise<AccountsShowData>
  /** Create an account. Creates a verified account without sending a mail. Returns its key and, unless one was given, a generated password, which is shown only now. Role: admin. */
  accountsCreate(input: AccountsCreateInput, options?: ActOptions): Promise<AccountsCreateData>
  /** Suspend an account. Suspends every key of the account from the next request on. Role: support. */
  accountsSuspend(input: AccountsSuspendInput, options?: ActOptions): Promise<AccountsSuspendData>
  /** Lift a suspension. Restores the keys of a suspended account. Role: support. */
  accountsUnsuspend(input: AccountsUnsuspendInput, options?: ActOptions): Promise<AccountsUnsuspendData>
  /** Set the account type. Sets the account type, and with it the limits that were not set for the account itself. Role: admin. */
  accountsSetTier(input: AccountsSetTierInput, options?: ActOptions): Promise<AccountsSetTierData>
  /** Set limits of one account. Sets the hourly or daily limit of one account, its processor time, or the balance at which the event `credits.low` is sent. A value of null restores the limit of the account type, or the balance of the plan. Role: admin. */
  accountsSetLimits(input: AccountsSetLimitsInput, options?: ActOptions): Promise<AccountsSetLimitsData>
  /** Switch off a second factor. Switches off the second factor of an account whose owner has lost it; the password alone logs in. It cannot be undone. Role: support. */
  accountsResetMfa(input: AccountsResetMfaInput, options?: ActOptions): Promise<AccountsResetMfaData>
  /** Delete an account. Deletes an account and the guests that it has taken over: keys, credits, secrets, e-mail address, names and client addresses. Its calls and movements of credits stay, without a reference to the owner. It cannot be undone. Role: admin. */
  accountsDelete(input: AccountsDeleteInput, options?: ActOptions): Promise<AccountsDeleteData>
  /** An account in detail. Returns the present use of the limits of an account, its grants with their references, its team keys, and its usage by operation and by day. Role: viewer. */
  accountsDetails(input: AccountsDetailsInput, options?: ActOptions): Promise<AccountsDetailsData>
  /** The history of an account. Lists the computations of an account, the newest first, as its owner sees them. With a filter a page may hold fewer items than `limit` and still have a `next_cursor`. Role: viewer. */
  accountsUsage(input: AccountsUsageInput, options?: ActOptions): Promise<AccountsUsageData>
  /** One call. Returns the newest call with a request id, or with the id of an audit row: its account and key, its cost, refund, events and receipt. `others` are further calls with the same id, and calls of the account with the same request and result within 24 hours. Role: viewer. */
  callsShow(input: CallsShowInput, options?: ActOptions): Promise<CallsShowData>
  /** Keys of an account. Lists the own key of an account and its team keys, revoked ones last. No key is shown. Role: viewer. */
  keys(input: KeysInput, options?: ActOptions): Promise<KeysData>
  /** Revoke a team key. Ends every key with this id from the next request on. It cannot be undone. Role: support. */
  keysRevoke(input: KeysRevokeInput, options?: ActOptions): Promise<KeysRevokeData>
  /** Replace a key. Replaces the own key of an account, which is not shown: its owner gets the new one by logging in. With `id` it replaces a team key, and returns the new one, which is shown only now. It cannot be undone. Role: support. */
  keysReplace(input: KeysReplaceInput, options?: ActOptions): Promise<KeysReplaceData>
  /** Grant credits. Adds credits to an account; they pay its debt first. The owner of the account sees the grant and its note. A reference is used once in the whole ledger: the same request again changes nothing, and returns the first grant. Role: billing. */
  grants(input: GrantsInput, options?: ActOptions): Promise<GrantsData>
  /** Take credits back. Takes credits of a grant back, after a refund or a dispute of its payment. All reversals of a grant take back at most its credits. Credits that the balance does not hold become debt, which later grants pay first; the reversal of an expired grant makes no debt. The same request again changes nothing, and returns the first reversal. Role: billing. */
  grantsReverse(input: GrantsReverseInput, options?: ActOptions): Promise<GrantsReverseData>
  /** Check the ledger. Checks the sums of every account, and makes a digest of them: equal ledgers have equal digests. Every balance less debt must equal grants + transfers + refunds − debits − reversals − expired, lots must not exceed balances, nor reversals their grants, and the spending of every team key must equal the charges of its calls. Reads one snapshot. The metrics show the result of a check of all accounts. Role: viewer. */
  verifyLedger(input?: VerifyLedgerInput, options?: ActOptions): Promise<VerifyLedgerData>
  /** Approvals. Lists the acts that need a second person (`QUANTD_TWO_PERSONS`), the newest first. Role: viewer. */
  approvals(input?: ApprovalsInput, options?: ActOptions): Promise<ApprovalsData>
  /** Confirm an act. Confirms an act that waits, which runs at once as an act of both persons. The second person needs the role of the act, and must not be the one who asked for it. If the act fails, it goes on waiting. Role: support. */
  approvalsConfirm(input: ApprovalsConfirmInput, options?: ActOptions): Promise<ApprovalsConfirmData>
  /** Reject an act. Rejects an act that waits, so that it never runs. The person who asked for it may do this too. Role: support. */
  approvalsReject(input: ApprovalsRejectInput, options?: ActOptions): Promise<ApprovalsRejectData>
  /** Plan. Returns the plan in force: the limits of the account types, the credits that accounts begin with, and what operations cost. Role: viewer. */
  plan(options?: ActOptions): Promise<PlanData>
  /** Change the plan. Makes a new version of the plan with the given values, which is in force on every node within 5 s; null restores the value of the settings. A call costs what it cost when it was admitted. Role: admin. */
  planSet(input: PlanSetInput, options?: ActOptions): Promise<PlanSetData>
  /** Versions of the plan. Lists the versions of the plan, the newest first, with what each changed and who made it. Role: viewer. */
  planHistory(input?: PlanHistoryInput, options?: ActOptions): Promise<PlanHistoryData>
  /** Costs of a month. Returns the calls of a month (UTC) and their credits, by account, key and operation: for one account, or page by page for all registered accounts with calls. With `format=csv` the reply is a table, and the header `X-Next-Cursor` has the cursor of the next page. Role: viewer. */
  reportsCosts(input: ReportsCostsInput, options?: ActOptions): Promise<ReportsCostsData>
  /** Statement. Returns the statement of an account for a month (UTC). It has the credits at the start, grants and other movements, the usage by key and operation with the amounts, and the credits left at the end. Opening credits + movements + refunds − credits of the usage = closing credits. An amount is (credits − refunded) · price; a price holds from the midnight after it was set. The amounts of the totals are rounded to the currency's smallest unit. Role: viewer. */
  reportsStatement(input: ReportsStatementInput, options?: ActOptions): Promise<ReportsStatementData>
  /** Audit. Lists rows of the audit in order of time. `rows` selects their kind: calls and events, the events of one account without its calls, the acts of operators, counts of refusals, or counts of failed logins and codes. With `format=csv` the reply is a table, and the header `X-Next-Cursor` has the cursor of the next page. Role: viewer. */
  audit(input?: AuditInput, options?: ActOptions): Promise<AuditData>
  /** Usage of a day. Lists the calls of a day, and the refunds made on it, in order of time. A day can be read from an hour after its end. The same day gives the same rows, also after accounts were deleted. The first page has the sums of all rows. Role: viewer. */
  usage(input: UsageInput, options?: ActOptions): Promise<UsageData>
  /** Waiting mails. Lists the mails that were not sent yet, the oldest first, with the last error. Their text is not shown. Role: viewer. */
  mails(input?: MailsInput, options?: ActOptions): Promise<MailsData>
  /** Send a mail again. Tries a waiting mail again at once. Role: support. */
  mailsSend(input: MailsSendInput, options?: ActOptions): Promise<MailsSendData>
  /** Tokens. Lists the operator tokens by name, the newest first. No secret is shown. Role: admin. */
  tokens(options?: ActOptions): Promise<TokensData>
  /** Create a token. Creates a token for a person or a program. It is shown only now. It ends with the token or session that makes it at the latest, and one of a person who signed on after 90 days. Role: admin. */
  tokensCreate(input: TokensCreateInput, options?: ActOptions): Promise<TokensCreateData>
  /** Revoke a token. Ends a token, and all tokens that were made with it or in its sessions, from the next request on. It cannot be undone. Role: admin. */
  tokensRevoke(input: TokensRevokeInput, options?: ActOptions): Promise<TokensRevokeData>
  /** Rotate the master key. Encrypts every secret under the first of the master keys. First configure both keys on every node, the new one before the old one, and wait a minute. Repeat it until `old_keys_removable`. Role: admin. */
  rotateMasterKey(input?: RotateMasterKeyInput, options?: ActOptions): Promise<RotateMasterKeyData>
  /** Endpoints of webhooks. Lists the endpoints, with the events that wait and those that were given up. Role: admin. */
  webhooks(options?: ActOptions): Promise<WebhooksData>
  /** Deliveries of an endpoint. Lists the events that were queued for an endpoint, the newest first: when each was sent, how often it was tried and the status of the last reply. Events are kept for some days. With `payload` each has the message as it is sent. Role: admin. */
  webhooksDeliveries(input: WebhooksDeliveriesInput, options?: ActOptions): Promise<WebhooksDeliveriesData>
  /** Create an endpoint. Creates an endpoint, which receives all later events. Returns its secret and its public key, which are shown only now. Role: admin. */
  webhooksCreate(input: WebhooksCreateInput, options?: ActOptions): Promise<WebhooksCreateData>
  /** Test an endpoint. Sends one signed message of the type `test` now. Role: admin. */
  webhooksTest(input: WebhooksTestInput, options?: ActOptions): Promise<WebhooksTestData>
  /** Send events again. Sends events to an endpoint again: those with these ids, or those of a span of time. Role: admin. */
  webhooksReplay(input: WebhooksReplayInput, options?: ActOptions): Promise<WebhooksReplayData>
  /** Delete an endpoint. Deletes an endpoint, with the events that wait for it. It cannot be undone. Role: admin. */
  webhooksDelete(input: WebhooksDeleteInput, options?: ActOptions): Promise<WebhooksDeleteData>
  /** Alerts. Lists the alerts that the service has sent by mail or webhook (`QUANTD_ALERTS`) and that are not over. Role: viewer. */
  alerts(options?: ActOptions): Promise<AlertsData>
  /** Test the alerts. Sends a test alert to each address and webhook of `QUANTD_ALERTS`. Role: admin. */
  alertsTest(input?: AlertsTestInput, options?: ActOptions): Promise<AlertsTestData>
}

export const acts = {
  health: { method: 'GET', path: '/operator/v1/health', input: false, repeatable: true },
  activity: { method: 'GET', path: '/operator/v1/activity', input: true, repeatable: true },
  runningOut: { method: 'GET', path: '/operator/v1/running-out', input: false, repeatable: true },
  notes: { method: 'POST', path: '/operator/v1/notes', input: true, repeatable: false },
  accounts: { method: 'GET', path: '/operator/v1/accounts', input: true, repeatable: true },
  accountsShow: { method: 'GET', path: '/operator/v1/accounts/show', input: true, repeatable: true },
  accountsCreate: { method: 'POST', path: '/operator/v1/accounts/create', input: true, repeatable: false },
  accountsSuspend: { method: 'POST', path: '/operator/v1/accounts/suspend', input: true, repeatable: false },
  accountsUnsuspend: { method: 'POST', path: '/operator/v1/accounts/unsuspend', input: true, repeatable: false },
  accountsSetTier: { method: 'POST', path: '/operator/v1/accounts/set-tier', input: true, repeatable: false },
  accountsSetLimits: { method: 'POST', path: '/operator/v1/accounts/set-limits', input: true, repeatable: false },
  accountsResetMfa: { method: 'POST', path: '/operator/v1/accounts/reset-mfa', input: true, repeatable: false },
  accountsDelete: { method: 'POST', path: '/operator/v1/accounts/delete', input: true, repeatable: false },
  accountsDetails: { method: 'GET', path: '/operator/v1/accounts/details', input: true, repeatable: true },
  accountsUsage: { method: 'GET', path: '/operator/v1/accounts/usage', input: true, repeatable: true },
  callsShow: { method: 'GET', path: '/operator/v1/calls/show', input: true, repeatable: true },
  keys: { method: 'GET', path: '/operator/v1/keys', input: true, repeatable: true },
  keysRevoke: { method: 'POST', path: '/operator/v1/keys/revoke', input: true, repeatable: false },
  keysReplace: { method: 'POST', path: '/operator/v1/keys/replace', input: true, repeatable: false },
  grants: { method: 'POST', path: '/operator/v1/grants', input: true, repeatable: true },
  grantsReverse: { method: 'POST', path: '/operator/v1/grants/reverse', input: true, repeatable: true },
  verifyLedger: { method: 'POST', path: '/operator/v1/verify-ledger', input: true, repeatable: false },
  approvals: { method: 'GET', path: '/operator/v1/approvals', input: true, repeatable: true },
  approvalsConfirm: { method: 'POST', path: '/operator/v1/approvals/confirm', input: true, repeatable: false },
  approvalsReject: { method: 'POST', path: '/operator/v1/approvals/reject', input: true, repeatable: false },
  plan: { method: 'GET', path: '/operator/v1/plan', input: false, repeatable: true },
  planSet: { method: 'POST', path: '/operator/v1/plan/set', input: true, repeatable: false },
  planHistory: { method: 'GET', path: '/operator/v1/plan/history', input: true, repeatable: true },
  reportsCosts: { method: 'GET', path: '/operator/v1/reports/costs', input: true, repeatable: true },
  reportsStatement: { method: 'GET', path: '/operator/v1/reports/statement', input: true, repeatable: true },
  audit: { method: 'GET', path: '/operator/v1/audit', input: true, repeatable: true },
  usage: { method: 'GET', path: '/operator/v1/usage', input: true, repeatable: true },
  mails: { method: 'GET', path: '/operator/v1/mails', input: true, repeatable: true },
  mailsSend: { method: 'POST', path: '/operator/v1/mails/send', input: true, repeatable: false },
  tokens: { method: 'GET', path: '/operator/v1/tokens', input: false, repeatable: true },
  tokensCreate: { method: 'POST', path: '/operator/v1/tokens/create', input: true, repeatable: false },
  tokensRevoke: { method: 'POST', path: '/operator/v1/tokens/revoke', input: true, repeatable: false },
  rotateMasterKey: { method: 'POST', path: '/operator/v1/rotate-master-key', input: true, repeatable: false },
  webhooks: { method: 'GET', path: '/operator/v1/webhooks', input: false, repeatable: true },
  webhooksDeliveries: { method: 'GET', path: '/operator/v1/webhooks/deliveries', input: true, repeatable: true },
  webhooksCreate: { method: 'POST', path: '/operator/v1/webhooks/create', input: true, repeatable: false },
  webhooksTest: { method: 'POST', path: '/operator/v1/webhooks/test', input: true, repeatable: false },
  webhooksReplay: { method: 'POST', path: '/operator/v1/webhooks/replay', input: true, repeatable: false },
  webhooksDelete: { method: 'POST', path: '/operator/v1/webhooks/delete', input: true, repeatable: false },
  alerts: { method: 'GET', path: '/operator/v1/alerts', input: false, repeatable: true },
  alertsTest: { method: 'POST', path: '/operator/v1/alerts/test', input: true, repeatable: false },
} as const satisfies Record<keyof Acts, object>
