/** Creates a team key: a further key of the account, with limits of its own. */
import { periodWithoutCap, tooManyTeamKeys } from '../../base/errors/accounts.ts'
import { keyInvalid } from '../../base/errors/requests.ts'
import { type Failure, succeeded } from '../../base/failure.ts'
import { TEAM_KEYS } from '../../base/limits/callers.ts'
import { Type } from '../../base/type.ts'
import type { CapPeriod, KeyStatus } from '../../ledger/rules/types.ts'
import { writeEvent, writeWebhookEvent } from '../../ledger/store/events.ts'
import { first, type Sql, type Transaction } from '../../ledger/store/sql.ts'
import { type HashedKey, hashedTeamKey } from '../../secrets/keys.ts'
import { registeredAccount } from '../account.ts'
import { accountEndpoint, eventOf, type OwnAct } from '../account-endpoint.ts'
import { apiKey } from '../field-schemas.ts'
import { insertKey } from '../open-account.ts'
import { checkSecondFactor } from '../second-factor.ts'
import { liveTeamKeys, ownKeyStatus, type TeamKeyRecord, teamKey } from './lineages.ts'
import { createInput, EXAMPLE_SHOWN, shown, shownKey, storedEnd, storedPaths, storedRanges } from './list.ts'

export const EXAMPLE_TEAM_KEY = 'qd_team_Vw2LkTtYb6NhXc9RjAe1GmUo3DiQv7SxKzB4fPqZ0s8'

export const createTeamKey = accountEndpoint({
  path: '/user/keys/create',
  area: 'Team keys',
  title: 'Create a team key',
  summary:
    'Creates a further key of the account, for a person or a program, and shows it this once. It may call computations and read its own usage; the account pays, within the cap of the key. The windows of the account count the requests of all its keys.',
  key: 'registered',
  input: createInput,
  output: Type.Object({ key: apiKey, ...shownKey }),
  failures: ['mfa_required', 'mfa_invalid', 'too_many_attempts', 'conflict'],
  example: {
    input: {
      name: 'pricing notebook',
      paths: ['/quantlib/pricing/bs/price'],
      credit_cap: 1_000,
      cap_period: 'month' as const,
    },
    output: { key: EXAMPLE_TEAM_KEY, ...EXAMPLE_SHOWN },
  },
  async handle(context, { caller, input, origin }) {
    const { accountId } = caller
    // A key without the cap that a misspelt field was to set would spend without one.
    if (input.cap_period != null && input.credit_cap == null) throw periodWithoutCap()
    const settings = {
      name: input.name,
      paths: storedPaths(context.paths, input.paths ?? null),
      allowedIps: storedRanges(input.allowed_ips ?? null),
      creditCap: input.credit_cap ?? null,
      capPeriod: input.cap_period ?? 'total',
      hourlyLimit: input.hourly_limit ?? null,
      expiresAt: await storedEnd(context.store, input.expires_at ?? null),
    }
    const account = await registeredAccount(context, accountId)
    await checkSecondFactor(context, account, input.mfa_code, origin)
    const { apiKey, stored } = hashedTeamKey(context.hashTeamKey)
    const event = eventOf(origin)
    const created = await context.store.run(addTeamKey, { accountId, settings, key: stored, event })
    return { key: apiKey, ...shown(succeeded(created)) }
  },
})

export interface TeamKeySettings {
  readonly name: string
  /** A JSON array; null: all paths. */
  readonly paths: string | null
  /** A JSON array; null: all addresses. */
  readonly allowedIps: string | null
  readonly creditCap: number | null
  readonly capPeriod: CapPeriod
  readonly hourlyLimit: number | null
  readonly expiresAt: number | null
}

/** Adds a team key. The lock of the account serializes creations, so that the limit on their number holds. */
export function* addTeamKey(
  sql: Sql,
  { accountId, event, key, settings }: OwnAct & Readonly<{ settings: TeamKeySettings; key: HashedKey }>,
): Transaction<TeamKeyRecord | Failure> {
  yield* sql.lock([accountId])
  const status = yield* ownKeyStatus(sql, accountId)
  // The account was deleted after the request was admitted.
  if (status === null) return keyInvalid()
  if ((yield* liveTeamKeys(sql, accountId)).length >= TEAM_KEYS) return tooManyTeamKeys(TEAM_KEYS)
  const now = yield* sql.clock()
  const inserted = yield* first(
    sql.db
      .insertInto('team_keys')
      .values({
        account_id: accountId,
        name: settings.name,
        paths: settings.paths,
        allowed_ips: settings.allowedIps,
        credit_cap: settings.creditCap,
        cap_period: settings.capPeriod,
        hourly_limit: settings.hourlyLimit,
        created_at: now,
        expires_at: settings.expiresAt,
      })
      .returning('id'),
  )
  const id = inserted!.id
  const keyId = yield* insertTeamKey(sql, { accountId, teamKeyId: id, key, status }, now)
  const facts = { team_key: id }
  yield* writeEvent(sql, event, { at: now, accountId, keyId, name: 'team_key_created', facts })
  yield* writeWebhookEvent(sql, {
    type: 'key.created',
    accountId,
    at: now,
    data: { key_id: id, name: settings.name },
  })
  return (yield* teamKey(sql, accountId, id))!
}

/** Adds a key to a lineage; returns its id. @param status suspended, where the account is */
export function* insertTeamKey(
  sql: Sql,
  {
    accountId,
    key,
    status,
    teamKeyId,
  }: Readonly<{ accountId: number; teamKeyId: number; key: HashedKey; status: KeyStatus }>,
  now: number,
): Transaction<number> {
  // Nothing is kept that the master key could open.
  const stored = { ...key, masterKeyId: '', sealed: new Uint8Array() }
  return yield* insertKey(sql, accountId, stored, now, { status, team_key_id: teamKeyId })
}
