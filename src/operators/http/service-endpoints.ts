/** The state of the service: its health, the requests of a range, and the accounts that run out of credits. */
import { givenInstant, nullable, text, whole } from '../../accounts/field-schemas.ts'
import { Failure } from '../../base/failure.ts'
import { ACTIVITY_HOURS, RUNNING_OUT } from '../../base/limits/operation.ts'
import { plural } from '../../base/text.ts'
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { type AccountView, accountJson, accountsOf } from '../accounts.ts'
import { type Activity, type Piece, refusedCounts, withoutCredits } from '../activity.ts'
import { alertJson } from '../alerts/notice.ts'
import { NOTED, type Note, watchedState, writeNote } from '../watched-state.ts'
import { found } from './account-endpoints.ts'
import { shownAlert } from './alert-endpoints.ts'
import { type OperatorContext, operatorEndpoint } from './endpoint.ts'
import { EXAMPLE_ACCOUNT, reason, shownAccount } from './field-schemas.ts'

const noted = (description: string) =>
  Type.Union(
    [
      Type.Object({
        at: text('when'),
        by: text('person or token that noted it'),
        is_present_key: Type.Boolean(),
      }),
      Type.Null(),
    ],
    { description },
  )

const health = operatorEndpoint({
  verb: null,
  role: 'viewer',
  path: '/operator/v1/health',
  title: 'Health',
  summary:
    'Returns whether the service is ready, the state of its database, the last errors of this node, the last check of the ledger, and the last copies of the database and of the master key that are known.',
  output: Type.Object({
    ready: Type.Boolean({ description: 'whether the database commits' }),
    problem: Type.Optional(text('why the service is not ready')),
    version: text('version of this node'),
    started_at: text('when this node was started'),
    database: Type.Object({
      kind: Type.Enum(['sqlite', 'postgres'], { description: 'the database' }),
      round_trip_ms: Type.Number({ description: 'time in which the database answered this request' }),
      replication: nullable(
        Type.Enum(['none', 'synchronous', 'asynchronous']),
        'how it replicates; null: not known',
      ),
    }),
    mails_waiting: whole('mails that are not sent yet'),
    oldest_mail_seconds: whole('age of the oldest of them'),
    ledger_check: Type.Union(
      [
        Type.Object({ at: text('when'), differing: whole('accounts whose balance differs from the ledger') }),
        Type.Null(),
      ],
      { description: 'the last check of all accounts; null: there was none' },
    ),
    backup: noted('the last copy of the database; null: none is known'),
    master_key_copy: noted(
      'the last copy of the master key; `is_present_key`: no rotation has replaced that key; null: none is known',
    ),
    master_keys: whole('master keys that this node has'),
    alerts: nullable(
      Type.Array(shownAlert),
      'alerts that the service has sent and that are not over; null: `QUANTD_ALERTS` is not set',
    ),
    errors: Type.Array(
      Type.Object({
        at: text('the last time'),
        method: text('method'),
        path: text('path'),
        status: whole('status'),
        code: text('failure code'),
        times: whole('number of consecutive occurrences'),
        request_id: text('of the last'),
      }),
      { description: 'the last replies of this node with status 500 and above, the newest first' },
    ),
  }),
  example: {
    output: {
      ready: true,
      version: '0.1.0',
      started_at: '2026-01-01T12:00:00.000Z',
      database: { kind: 'sqlite' as const, round_trip_ms: 0.1, replication: 'none' as const },
      mails_waiting: 0,
      oldest_mail_seconds: 0,
      ledger_check: { at: '2026-01-01T02:30:00.000Z', differing: 0 },
      backup: { at: '2026-01-01T02:30:00.000Z', by: 'quantd', is_present_key: true },
      master_key_copy: null,
      master_keys: 1,
      alerts: [],
      errors: [],
    },
  },
  async handle({ alerts, isReady, masterKeyIds, node, store }) {
    const began = performance.now()
    const readiness = await isReady().catch((error) => error as Error)
    const isAway = readiness instanceof Error
    const state = isAway ? null : await store.run(watchedState)
    const roundTripMs = performance.now() - began
    const ageOf = (note: Note | null) =>
      note && {
        at: isoTime(note.at),
        by: note.actor,
        is_present_key: note.masterKeyId === masterKeyIds()[0],
      }
    const check = state?.ledgerCheck ?? null
    return {
      ready: !isAway,
      ...(isAway && { problem: readiness instanceof Failure ? readiness.message : 'The database is away.' }),
      version: node.version,
      started_at: isoTime(node.startedAt),
      database: {
        kind: node.database,
        round_trip_ms: Math.round(roundTripMs * 100) / 100,
        replication: isAway ? null : readiness,
      },
      mails_waiting: state?.mailsWaiting ?? 0,
      oldest_mail_seconds: Math.floor((state?.oldestMailAgeMs ?? 0) / SECOND_MS),
      ledger_check: check && { at: isoTime(check.at), differing: check.differing },
      backup: ageOf(state?.backup ?? null),
      master_key_copy: ageOf(state?.masterKeyCopy ?? null),
      master_keys: masterKeyIds().length,
      alerts: alerts && (state?.firing ?? []).map(alertJson),
      errors: node.faults().map(({ at, code, method, path, requestId, status, times }) => ({
        at: isoTime(at),
        method,
        path,
        status,
        code,
        times,
        request_id: requestId,
      })),
    }
  },
})

const noteEndpoint = operatorEndpoint({
  verb: 'note',
  role: 'support',
  path: '/operator/v1/notes',
  title: 'Note a copy',
  summary:
    'Notes that the database or the master key was copied just now, so that the age of the copy is known. `quantd backup` notes its copies itself.',
  input: Type.Object({
    what: Type.Enum([...NOTED], { title: 'What was copied', description: 'kind of the copy' }),
    reason,
  }),
  output: Type.Object({ what: text('kind of the copy'), at: text('when') }),
  command: {
    examples: [
      ['note backup', 'after pg_dump; quantd backup notes its copies itself'],
      ['note master-key-copy', 'a copy of the master key was stored'],
    ],
    needs: 'secrets',
  },
  said: ({ at, what }) =>
    `Noted that the ${what === 'backup' ? 'database' : 'master key'} was copied at ${at}.`,
  example: {
    input: { what: 'backup' as const },
    output: { what: 'backup', at: '2026-01-01T02:30:00.000Z' },
  },
  async handle({ masterKeyIds, store }, { event, input: { what } }) {
    const note = await store.run(writeNote, { what, masterKeyId: masterKeyIds()[0], event: event() })
    return { what, at: isoTime(note.at) }
  },
})

const sums = {
  requests: whole('requests to computations that were admitted, those of guests included'),
  failures: whole('those of them that failed'),
  calls: whole('computations in the requests: those of a batch, or one for each row of columns'),
  credits: Type.Number({ description: 'credits charged' }),
  p50_ms: nullable(Type.Number(), 'median of the durations of the requests; null: there were none'),
  p99_ms: nullable(Type.Number(), '99th percentile of the durations of the requests; null: there were none'),
}
const EXAMPLE_SUMS = { requests: 2, failures: 1, calls: 1, credits: 1, p50_ms: 1, p99_ms: 2 }
const sumsJson = ({ calls, credits, failures, p50, p99, requests }: Omit<Piece, 'from'>) => ({
  requests,
  failures,
  calls,
  credits,
  p50_ms: p50,
  p99_ms: p99,
})

const activityEndpoint = operatorEndpoint({
  verb: 'activity',
  role: 'viewer',
  path: '/operator/v1/activity',
  title: 'Requests and calls of a range',
  summary:
    'Returns the requests of the last 24 hours or of another range, of all accounts or one, in total and in pieces: failures, durations, calls, credits. A request for them reads the audit for a limited time: repeat it until `complete` is true.',
  query: Type.Object({
    hours: Type.Optional(
      Type.Integer({
        description: 'length of the range in hours, which ends now, or at `to`',
        minimum: 1,
        maximum: ACTIVITY_HOURS,
        default: 24,
      }),
    ),
    to: Type.Optional(givenInstant('end of the range')),
    account: Type.Optional(text('e-mail address or number of the account; absent: all')),
  }),
  output: Type.Object({
    complete: Type.Boolean({ description: 'whether all of the range was read' }),
    from: text('beginning of the range, that of a piece'),
    to: text('end of the last piece'),
    piece_minutes: whole('length of a piece'),
    total: Type.Object(sums),
    failures: Type.Array(Type.Object({ code: text('failure code'), times: whole('how often') }), {
      description: 'failed requests, refusals and failed attempts by code, the most frequent first',
    }),
    pieces: Type.Array(Type.Object({ from: text('beginning of the piece'), ...sums })),
  }),
  command: {
    examples: [
      ['activity', 'the last 24 hours'],
      ['activity --hours 720 --json', 'the last 30 days, for a program'],
      ['activity --account ada@example.org', 'of one account'],
    ],
    text: ({ failures, from, to, total }) =>
      [
        `${from} to ${to}`,
        `${plural(total.requests, 'request')}, ${total.failures} failed`,
        `${plural(total.calls, 'call')} in them, ${plural(total.credits, 'credit')}`,
        `half took at most ${total.p50_ms ?? '-'} ms, 99 of 100 at most ${total.p99_ms ?? '-'} ms`,
        ...failures.map(({ code, times }) => `${code}  ${times}`),
      ].join('\n'),
  },
  example: {
    output: {
      complete: true,
      from: '2026-01-01T12:00:00.000Z',
      to: '2026-01-02T12:00:00.000Z',
      piece_minutes: 10,
      total: EXAMPLE_SUMS,
      failures: [{ code: 'invalid_input', times: 1 }],
      pieces: [{ from: '2026-01-01T12:00:00.000Z', ...EXAMPLE_SUMS }],
    },
  },
  failures: ['not_found'],
  async handle(context, { query: { account, hours, to: end } }) {
    const accountId = account === undefined ? null : (await found(context, account)).accountId
    const { failures, from, isComplete, pieceMs, pieces, to, total } = await context.activity({
      accountId,
      hours: hours ?? 24,
      end: end === undefined ? null : Date.parse(end),
    })
    const byCode = new Map(failures)
    for (const [code, times] of await context.store.run(refusedCounts, { accountId, from, to }))
      byCode.set(code, (byCode.get(code) ?? 0) + times)
    return {
      complete: isComplete,
      from: isoTime(from),
      to: isoTime(to),
      piece_minutes: pieceMs / MINUTE_MS,
      total: sumsJson(total),
      failures: [...byCode].map(([code, times]) => ({ code, times })).sort((a, b) => b.times - a.times),
      pieces: pieces.map((piece) => ({ from: isoTime(piece.from), ...sumsJson(piece) })),
    }
  },
})

const runningOut = operatorEndpoint({
  verb: null,
  role: 'viewer',
  path: '/operator/v1/running-out',
  title: 'Accounts that run out of credits',
  summary:
    'Lists the registered accounts that will have spent their credits within a week at the pace of the last 24 hours, or that were refused for lack of credits in that time, the most urgent first. Only the accounts that spend most are examined.',
  output: Type.Object({
    complete: Type.Boolean({ description: 'whether all of the 24 hours were read' }),
    items: Type.Array(
      Type.Object({
        account: shownAccount,
        spent: whole('credits in the last 24 hours'),
        refused: whole('calls that were refused for lack of credits'),
        hours_left: nullable(Type.Number(), 'hours until the credits are spent; null: none were spent'),
      }),
    ),
  }),
  example: {
    output: {
      complete: true,
      items: [{ account: EXAMPLE_ACCOUNT, spent: 500, refused: 0, hours_left: 16.8 }],
    },
  },
  async handle(context) {
    const { isComplete, spent } = await context.activity({ accountId: null, hours: 24, end: null })
    const refused = await context.store.run(withoutCredits)
    const items = await runners(context, spent, refused)
    return {
      complete: isComplete,
      items: items.map(({ account, hoursLeft, ...sums }) => ({
        account: accountJson(account, context.plan()),
        ...sums,
        hours_left: hoursLeft === null ? null : Math.round(hoursLeft * 10) / 10,
      })),
    }
  },
})

async function runners(
  { store }: Pick<OperatorContext, 'store'>,
  spent: Activity['spent'],
  refused: ReadonlyMap<number, number>,
) {
  const most = [...spent].sort((a, b) => b[1] - a[1]).slice(0, RUNNING_OUT.compared)
  const ids = [...new Set([...[...refused.keys()].slice(0, RUNNING_OUT.compared), ...most.map(([id]) => id)])]
  const accounts: AccountView[] = []
  for (let from = 0; from < ids.length; from += RUNNING_OUT.listed * 10)
    accounts.push(...(await store.run(accountsOf, ids.slice(from, from + RUNNING_OUT.listed * 10))))
  // Guests are left out: they expire within a day, and get no further credits.
  return accounts
    .filter(({ tier }) => tier !== 'guest')
    .map((account) => {
      const pace = spent.get(account.accountId) ?? 0
      const hoursLeft = pace === 0 ? null : (account.credits * DAY_MS) / HOUR_MS / pace
      return { account, spent: pace, refused: refused.get(account.accountId) ?? 0, hoursLeft }
    })
    .filter(
      ({ hoursLeft, refused }) => refused > 0 || (hoursLeft ?? Infinity) * HOUR_MS < RUNNING_OUT.withinMs,
    )
    .sort((a, b) => (a.hoursLeft ?? 0) - (b.hoursLeft ?? 0) || b.refused - a.refused)
    .slice(0, RUNNING_OUT.listed)
}

export const serviceEndpoints = [health, activityEndpoint, runningOut, noteEndpoint]
