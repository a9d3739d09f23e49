/**
 * Programs that send an access token of the provider instead of a key. All programs of an account are one of its team keys: one
 * cap, one window and one name in the history, however many clients a person registers at the provider.
 */
import { hash as digestOf } from 'node:crypto'
import { providerAway } from '../base/errors/accounts.ts'
import { tokenInvalid } from '../base/errors/requests.ts'
import { uuidv7 } from '../base/ids.ts'
import { ACCESS_TOKEN_FRESH_MS, ACCESS_TOKENS_KNOWN } from '../base/limits/operation.ts'
import { type EventOrigin, writeEvent, writeWebhookEvent } from '../ledger/store/events.ts'
import { first, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Origin } from '../protocol/handler.ts'
import { findAccount, isRegistered } from './account.ts'
import { type AccountContext, eventOf } from './account-endpoint.ts'
import { type TokenRules, verifyToken } from './sign-on/access-token.ts'
import { aFewAMinute } from './sign-on/flow.ts'
import { isAway, type Provider } from './sign-on/provider.ts'
import { boundAccount } from './sign-on.ts'
import { insertTeamKey, type TeamKeySettings } from './team-keys/create.ts'
import { PROGRAMS_PREFIX } from './team-keys/lineages.ts'

interface ProgramSettings extends TokenRules {
  /** The limits with which the programs of an account begin; the owner may change them. */
  readonly limits: Pick<TeamKeySettings, 'capPeriod' | 'creditCap' | 'hourlyLimit'>
}

export interface ProgramKeys {
  /** The hash by which the key of the token's account is looked up. Throws Failure if the token gives no access. */
  hashOf(token: string, origin: Origin): Promise<Uint8Array>
  /** Forgets a token whose key was refused: its person may have got another account. */
  forget(token: string): void
}

interface Known {
  readonly hash: Uint8Array
  readonly until: number
}

export function programKeys(
  context: Pick<AccountContext, 'hashTeamKey' | 'log' | 'store'>,
  provider: Provider,
  settings: ProgramSettings,
): ProgramKeys {
  /** By digest, the oldest first: a token is verified once in ACCESS_TOKEN_FRESH_MS, not at each call. */
  const known = new Map<string, Known>()
  const warn = aFewAMinute(context.log)
  const verified = async (token: string, { requestId }: Origin) => {
    try {
      return await verifyToken(provider, settings, token)
    } catch (err) {
      if (!isAway(err)) throw err
      warn({ err, requestId }, 'an access token could not be verified')
      throw providerAway(provider.name)
    }
  }
  return {
    async hashOf(token, origin) {
      const digest = digestOf('sha256', token)
      const present = known.get(digest)
      if (present !== undefined && Date.now() < present.until) return present.hash
      known.delete(digest)
      const { endsAt, issuer, subject } = await verified(token, origin)
      const hash = await context.store.run(programKey, {
        signOn: JSON.stringify([issuer, subject]),
        hashOf: (accountId) => context.hashTeamKey(`programs of account ${accountId}`),
        limits: settings.limits,
        event: eventOf(origin),
      })
      if (hash === null)
        throw tokenInvalid('belongs to a person without an account here: sign on once in the console')
      for (const [oldest] of known) {
        if (known.size < ACCESS_TOKENS_KNOWN) break
        known.delete(oldest)
      }
      known.set(digest, { hash, until: Math.min(endsAt, Date.now() + ACCESS_TOKEN_FRESH_MS) })
      return hash
    },
    forget(token) {
      known.delete(digestOf('sha256', token))
    },
  }
}

/**
 * The hash of the key of a person's programs, which is made at their first token. Null: the person has no account. Where the account
 * has a second factor, the key ends as it begins: the owner, who has the factor, gives it another end or none.
 */
export function* programKey(
  sql: Sql,
  {
    event,
    hashOf,
    limits,
    signOn,
  }: Readonly<{
    signOn: string
    hashOf: (accountId: number) => Uint8Array
    limits: ProgramSettings['limits']
    event: EventOrigin
  }>,
): Transaction<Uint8Array | null> {
  const accountId = yield* boundAccount(sql, signOn)
  if (accountId === null) return null
  const hash = hashOf(accountId)
  const own = sql.db.selectFrom('api_keys').select('id').where('account_id', '=', accountId)
  const present = own.where('hash', '=', hash)
  if ((yield* first(present)) !== undefined) return hash
  yield* sql.lock([accountId])
  const account = yield* findAccount(sql, { accountId })
  // The account was deleted meanwhile.
  if (!isRegistered(account) || account.key === null) return null
  if ((yield* first(present)) !== undefined) return hash
  const now = yield* sql.clock()
  const waits = account.totp?.enabled === true
  const inserted = yield* first(
    sql.db
      .insertInto('team_keys')
      .values({
        account_id: accountId,
        name: NAME,
        paths: null,
        credit_cap: limits.creditCap,
        cap_period: limits.capPeriod,
        hourly_limit: limits.hourlyLimit,
        created_at: now,
        expires_at: waits ? now : null,
        told_end: waits ? now : null,
      })
      .returning('id'),
  )
  const teamKeyId = inserted!.id
  const key = { uid: uuidv7(), hash, prefix: PROGRAMS_PREFIX, last4: '' }
  const { status } = account.key
  const keyId = yield* insertTeamKey(sql, { accountId, teamKeyId, key, status }, now)
  const facts = { team_key: teamKeyId, programs: true }
  yield* writeEvent(sql, event, { at: now, accountId, keyId, name: 'team_key_created', facts })
  const data = { key_id: teamKeyId, name: NAME }
  yield* writeWebhookEvent(sql, { type: 'key.created', accountId, at: now, data })
  return hash
}

const NAME = 'programs signed on'
