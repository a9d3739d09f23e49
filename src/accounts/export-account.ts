/** All that is kept about the caller, in pages. */
import { cursorRefused } from '../base/errors/requests.ts'
import { EXPORT_MS, EXPORT_PAGE } from '../base/limits/callers.ts'
import { Type } from '../base/type.ts'
import { VaultError } from '../secrets/vault.ts'
import { type RegisteredAccount, registeredAccount } from './account.ts'
import { type AccountContext, accountEndpoint } from './account-endpoint.ts'
import { listOf, mfaCode, nextCursor } from './field-schemas.ts'
import { type KeptPlace, KIND_NAMES, keptPage } from './kept-records.ts'
import { checkSecondFactor } from './second-factor.ts'

export const exportAccount = accountEndpoint({
  path: '/user/export',
  area: 'Accounts',
  title: 'Export the account',
  summary: `Returns all that is kept about the account and the guests it took over, kind by kind, at most ${EXPORT_PAGE.records} records a page. A page may hold fewer, or none, and still have a \`next_cursor\`. Keys are without their secrets; texts of mails are not kept. There are no sessions: a client is logged in by its key. If the second factor is on, the first page requires \`mfa_code\`.`,
  key: 'registered',
  query: Type.Object({
    cursor: Type.Optional(
      Type.String({
        description: '`next_cursor` of the previous page, valid for an hour',
        pattern: '^[A-Za-z0-9_-]{1,2000}$',
      }),
    ),
    mfa_code: Type.Optional(mfaCode),
  }),
  output: Type.Object({
    records: listOf(
      Type.Object({
        kind: Type.Enum([...KIND_NAMES], { description: 'the kind of the record' }),
        values: Type.Object(
          {},
          { additionalProperties: true, description: 'the columns of the record; times in ISO 8601, UTC' },
        ),
      }),
      'records of each kind, the oldest first',
    ),
    next_cursor: nextCursor,
  }),
  failures: ['invalid_input', 'mfa_required', 'mfa_invalid', 'too_many_attempts'],
  example: {
    output: {
      records: [
        { kind: 'account', values: { id: 17, email: 'ada@example.org', username: 'ada', balance: 349 } },
        { kind: 'api_key', values: { id: 21, status: 'active', created_at: '2026-01-01T12:00:00.000Z' } },
      ],
      next_cursor: null,
    },
  },
  async handle(context, { caller, origin, query }) {
    const account = await registeredAccount(context, caller.accountId)
    const cursors = cursorsOf(context, account)
    const now = await context.store.run((sql) => sql.clock())
    if (query.cursor === undefined) await checkSecondFactor(context, account, query.mfa_code, origin)
    const place = query.cursor === undefined ? { step: 0, after: null } : cursors.placeIn(query.cursor, now)
    const page = place && (await context.store.reads.run(keptPage, caller.accountId, place))
    if (page === null) throw cursorRefused()
    const { next, records } = page
    return { records, next_cursor: next === null ? null : cursors.cursorOf(next, now) }
  },
})

/**
 * Cursors are sealed: that of a page is the proof that the second factor was checked at the first one. It ends after an hour, and
 * when the second factor is switched on.
 */
function cursorsOf({ vault }: AccountContext, { totp, uid }: RegisteredAccount) {
  const bound = [uid, totp?.enabled ? 'second factor' : 'password']
  return {
    cursorOf({ after, step }: KeptPlace, now: number): string {
      const { masterKeyId, sealed } = vault.seal('export', JSON.stringify([step, after, now]), bound)
      return masterKeyId + Buffer.from(sealed).toString('base64url')
    },
    /** Null: the text is no cursor of this account, or its time is over. */
    placeIn(cursor: string, now: number): KeptPlace | null {
      const sealed = Buffer.from(cursor.slice(MASTER_KEY_ID), 'base64url')
      try {
        const text = vault.open('export', { masterKeyId: cursor.slice(0, MASTER_KEY_ID), sealed }, bound)
        const [step, after, at] = JSON.parse(text)
        return Math.abs(now - at) > EXPORT_MS ? null : { step, after }
      } catch (error) {
        if (error instanceof VaultError) return null
        throw error
      }
    },
  }
}

/** The characters of a master key's id, with which a cursor begins. */
const MASTER_KEY_ID = 16
