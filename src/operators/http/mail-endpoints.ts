/** Mails that wait in the outbox: the endpoints with their statements. */
import { text, whole } from '../../accounts/field-schemas.ts'
import { noSuchMail } from '../../base/errors/operator.ts'
import type { Failure } from '../../base/failure.ts'
import { plural } from '../../base/text.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { cursorOf } from '../../ledger/store/page-cursors.ts'
import { rows, type Sql, type Transaction } from '../../ledger/store/sql.ts'
import { type AdminEvent, writeAdminEvent } from '../audit-event.ts'
import { operatorEndpoint } from './endpoint.ts'
import { cursorAfter, nextCursor, orNull, page, placeAfter, reason } from './field-schemas.ts'

const id = Type.String({ description: 'id of the mail, from the list of mails', pattern: '^[0-9a-f-]{36}$' })

const PLACE = { createdAt: 'number', id: 'string' } as const

const list = operatorEndpoint({
  verb: 'mail list',
  role: 'viewer',
  path: '/operator/v1/mails',
  title: 'Waiting mails',
  summary:
    'Lists the mails that were not sent yet, the oldest first, with the last error. Their text is not shown.',
  query: Type.Object(page),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        id,
        to: text('recipient'),
        created_at: text('when it was written'),
        attempts: whole('attempts so far'),
        next_at: text('when it is tried again'),
        last_error: orNull('error of the last attempt; null: there was none'),
      }),
    ),
    next_cursor: nextCursor,
  }),
  command: {
    examples: [['mail list', 'the oldest thousand']],
    line: ({ attempts, created_at, id, last_error, to }) => [
      id,
      created_at,
      plural(attempts, 'attempt'),
      to,
      last_error ?? '',
    ],
  },
  example: {
    output: {
      items: [
        {
          id: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e',
          to: 'ada@example.org',
          created_at: '2026-01-01T12:00:00.000Z',
          attempts: 3,
          next_at: '2026-01-01T12:01:00.000Z',
          last_error: 'connect ECONNREFUSED',
        },
      ],
      next_cursor: null,
    },
  },
  async handle({ store }, { query: { cursor, limit = 50 } }) {
    const mails = await store.run(waitingMails, { limit, after: placeAfter(cursor, PLACE) })
    return {
      items: mails.map(({ attempts, createdAt, id, lastError, nextAt, recipient }) => ({
        id,
        to: recipient!,
        created_at: isoTime(createdAt),
        attempts,
        next_at: isoTime(nextAt),
        last_error: lastError,
      })),
      next_cursor: cursorAfter(mails, limit, (last) => cursorOf(PLACE, last)),
    }
  },
})

const send = operatorEndpoint({
  verb: 'mail send',
  role: 'support',
  path: '/operator/v1/mails/send',
  title: 'Send a mail again',
  summary: 'Tries a waiting mail again at once.',
  input: Type.Object({ id, reason }),
  output: Type.Object({ id, due: Type.Literal(true) }),
  failures: ['not_found'],
  command: {
    examples: [['mail send 019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e', 'by its id in the list']],
  },
  said: ({ id }) => `The mail ${id} is tried again at once.`,
  example: {
    input: { id: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e' },
    output: { id: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e', due: true as const },
  },
  async handle(_, { act, event, input }) {
    await act(sendMailNow, { id: input.id, event: event() })
    return { id: input.id, due: true as const }
  },
})

export const mailEndpoints = [list, send]

/** Waiting mails after a given one, the oldest first. */
export function* waitingMails(
  { db }: Sql,
  {
    after,
    limit,
  }: { readonly after: { readonly createdAt: number; readonly id: string } | null; readonly limit: number },
) {
  const waiting = db
    .selectFrom('mails')
    .select(['id', 'recipient', 'created_at as createdAt', 'attempts', 'next_at as nextAt'])
    .select('last_error as lastError')
    .where('sealed', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  return yield* rows(
    waiting.$if(after !== null, (some) =>
      some.where((where) =>
        where.or([
          where('created_at', '>', after!.createdAt),
          where.and([where('created_at', '=', after!.createdAt), where('id', '>', after!.id)]),
        ]),
      ),
    ),
  )
}

/** Makes a mail due at once. */
export function* sendMailNow(
  sql: Sql,
  { event, id }: { readonly id: string; readonly event: AdminEvent },
): Transaction<Failure | null> {
  const now = yield* sql.clock()
  const waiting = sql.db.updateTable('mails').set({ next_at: now }).where('id', '=', id)
  if ((yield* rows(waiting.where('sealed', 'is not', null).returning('id'))).length === 0) return noSuchMail()
  yield* writeAdminEvent(sql, event, 'mail_sent_again', { facts: { mail: id } })
  return null
}
