/** Mails to the owner when the balance falls to thresholds of their choice: the endpoints, and the look that finds crossings. */
import { MAX_CREDITS, NOTICE_THRESHOLDS } from '../base/limits/callers.ts'
import { NOTICE_PAUSE_MS } from '../base/limits/operation.ts'
import { Type } from '../base/type.ts'
import { writeEvent } from '../ledger/store/events.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Store } from '../ledger/store/store.ts'
import type { Vault } from '../secrets/vault.ts'
import { accountEndpoint, eventOf, type OwnAct } from './account-endpoint.ts'
import { listOf } from './field-schemas.ts'
import { creditsFallenMail } from './mail/messages.ts'
import { type NewMail, newMail, queueMail } from './mail/outbox.ts'

const thresholds = Type.Array(Type.Integer({ minimum: 0, maximum: MAX_CREDITS }), {
  maxItems: NOTICE_THRESHOLDS,
  description: 'balances at which a mail is sent; empty: none',
})
const output = Type.Object({ credits: listOf(Type.Integer(), 'the thresholds, the highest first') })
const EXAMPLE = { credits: [1_000, 100, 0] }

export const notices = accountEndpoint({
  path: '/user/notices',
  area: 'Credits and usage',
  title: 'Notices',
  summary: 'Lists the balances at which the owner gets a mail.',
  key: 'registered',
  output,
  example: { output: EXAMPLE },
  handle: async ({ store }, { caller }) => ({ credits: await store.run(thresholdsOf, caller.accountId) }),
})

export const setNotices = accountEndpoint({
  path: '/user/notices',
  id: 'userNoticesSet',
  area: 'Credits and usage',
  title: 'Set the notices',
  summary: `Replaces the balances at which the owner gets a mail. A mail is sent within seconds of a fall to a threshold or below it, once for each fall, and at most one an hour for each threshold: if the balance has risen and fallen again within the hour, the mail follows when the hour is over.`,
  key: 'registered',
  input: Type.Object({ credits: thresholds }),
  output,
  example: { input: EXAMPLE, output: EXAMPLE },
  async handle({ store }, { caller: { accountId }, input, origin }) {
    const credits = [...new Set(input.credits)].sort((a, b) => b - a)
    await store.run(replaceNotices, { accountId, credits, event: eventOf(origin) })
    return { credits }
  },
})

export function* thresholdsOf({ db }: Sql, accountId: number): Transaction<number[]> {
  const kept = db.selectFrom('notices').select('credits').where('account_id', '=', accountId)
  return (yield* rows(kept.orderBy('credits', 'desc'))).map(({ credits }) => credits)
}

/** A threshold that stays keeps its state, so that setting the same ones again causes no mail. */
export function* replaceNotices(
  sql: Sql,
  { accountId, credits, event }: OwnAct & { readonly credits: readonly number[] },
): Transaction<void> {
  const { db } = sql
  yield* sql.lock([accountId])
  const account = yield* first(
    db.selectFrom('accounts').select('balance').where('id', '=', accountId).where('deleted_at', 'is', null),
  )
  if (account === undefined) return
  const kept = new Set(yield* thresholdsOf(sql, accountId))
  const gone = [...kept].filter((threshold) => !credits.includes(threshold))
  const added = credits.filter((threshold) => !kept.has(threshold))
  if (gone.length > 0)
    yield* rows(db.deleteFrom('notices').where('account_id', '=', accountId).where('credits', 'in', gone))
  if (added.length > 0)
    yield* rows(
      db.insertInto('notices').values(
        added.map((threshold) => ({
          account_id: accountId,
          credits: threshold,
          waits: account.balance > threshold ? 1 : 0,
        })),
      ),
    )
  const at = yield* sql.clock()
  const facts = { credits: credits.join(' ') }
  yield* writeEvent(sql, event, { at, accountId, keyId: null, name: 'notices_set', facts })
}

/** The most thresholds of one look. */
const MOST = 100

/**
 * Queues the mails of thresholds to which balances have fallen since the last look, and makes thresholds wait again where the
 * balance has risen above them. The state is in the rows, so that a fall is neither lost when a node ends nor told by two nodes.
 * Returns the number of mails.
 */
export async function sendNotices(store: Pick<Store, 'reads' | 'run'>, vault: Vault): Promise<number> {
  const crossed = await store.reads.run(crossedThresholds)
  const [fallen, risen] = [
    crossed.filter(({ waits }) => waits === 1),
    crossed.filter(({ waits }) => waits === 0),
  ]
  for (const notice of risen) await store.run(awaitFall, notice)
  for (const { balance, email, username, ...notice } of fallen) {
    const { threshold } = notice
    const mail = newMail({ vault }, email, creditsFallenMail({ balance, threshold, username }))
    await store.run(queueNotice, notice, mail)
  }
  return fallen.length
}

/** Thresholds to which the balance has fallen, and those above which it has risen again. */
export function* crossedThresholds(sql: Sql) {
  const now = yield* sql.clock()
  return yield* rows(
    sql.db
      .selectFrom('notices as n')
      .innerJoin('accounts as a', 'a.id', 'n.account_id')
      .select(['a.id as accountId', 'a.balance', 'n.credits as threshold', 'n.waits'])
      .select('n.mailed_at as mailedAt')
      .select(({ ref }) => [
        ref('a.email').$notNull().as('email'),
        ref('a.username').$notNull().as('username'),
      ])
      .where('a.deleted_at', 'is', null)
      .where(({ and, eb, or }) =>
        or([
          and([eb('n.waits', '=', 0), eb('a.balance', '>', eb.ref('n.credits'))]),
          and([
            eb('n.waits', '=', 1),
            eb('a.balance', '<=', eb.ref('n.credits')),
            // A time ahead of now is of a clock that was wrong.
            or([
              eb('n.mailed_at', 'is', null),
              eb('n.mailed_at', '<=', now - NOTICE_PAUSE_MS),
              eb('n.mailed_at', '>', now),
            ]),
          ]),
        ]),
      )
      .limit(MOST),
  )
}

/** A threshold as a look has read it. */
interface Notice {
  readonly accountId: number
  readonly threshold: number
  readonly waits: number
  readonly mailedAt: number | null
}

/** Makes a threshold wait for the next fall. */
export function* awaitFall(sql: Sql, notice: Notice): Transaction<void> {
  yield* change(sql, notice, { waits: 1 })
}

/** Queues the mail of a threshold, unless another node has, or the owner has removed the threshold. */
export function* queueNotice(sql: Sql, notice: Notice, mail: NewMail): Transaction<void> {
  const now = yield* sql.clock()
  if (yield* change(sql, notice, { waits: 0, mailed_at: now })) yield* queueMail(sql, mail, now)
}

/**
 * Changes a threshold. False: it is not any more as it was read. A slow node could otherwise make a threshold wait below which the
 * balance has fallen meanwhile, and the fall would be told again.
 */
function* change(
  { db }: Sql,
  { accountId, mailedAt, threshold, waits }: Notice,
  to: { readonly waits: number; readonly mailed_at?: number },
): Transaction<boolean> {
  const row = db
    .updateTable('notices')
    .set(to)
    .where('account_id', '=', accountId)
    .where('credits', '=', threshold)
    .where('waits', '=', waits)
    .where('mailed_at', 'is not distinct from', mailedAt)
  return (yield* rows(row.returning('credits'))).length > 0
}
