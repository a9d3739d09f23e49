/** Commands of owners on their team keys. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Account, countMinute, emptyWindow, isMember, type Model, type TeamKey } from './account.ts'
import { type Command, check, command, hasAccounts, pickAccount, type Real } from './check.ts'

const HOUR = 3_600_000

/** Sends a request of an owner; null where the limit a minute refused it. */
async function ask(model: Model, real: Real, account: Account, verb: string, body: object) {
  const mayAsk = countMinute(account, model.now)
  const answer = await real.service.call(`/user/keys/${verb}`, { key: account.key, body })
  assert.equal(answer.status, mayAsk ? 200 : 429, answer.text)
  return mayAsk ? (answer.body.data as { readonly id: number; readonly key: string }) : null
}

interface Settings {
  readonly cap: number | null
  readonly period: TeamKey['period']
  readonly hourlyLimit: number | null
  readonly endsInMs: number | null
}

/** The acts of an owner on one of the account's keys. */
const manage = (
  which: number,
  name: string,
  isPossible: (account: Account) => boolean,
  apply: (model: Model, real: Real, account: Account) => Promise<void>,
): Command =>
  command(
    `${name}(${which})`,
    async (model, real) => {
      const account = pickAccount(model, which)
      await apply(model, real, account)
      await check(model, real, account)
    },
    (model) => {
      if (!hasAccounts(model)) return false
      const account = pickAccount(model, which)
      return isMember(account) && !account.suspended && isPossible(account)
    },
  )

export const createTeamKey = (which: number, { cap, endsInMs, hourlyLimit, period }: Settings) =>
  manage(
    which,
    `create a team key of ${cap} a ${period}, ${hourlyLimit} an hour, for ${endsInMs} ms`,
    ({ teamKeys }) => teamKeys.length < 2,
    async (model, real, account) => {
      const made = await ask(model, real, account, 'create', {
        name: 'model',
        ...(cap !== null && { credit_cap: cap, cap_period: period }),
        ...(hourlyLimit !== null && { hourly_limit: hourlyLimit }),
        ...(endsInMs !== null && {
          expires_at: new Date(Date.now() + real.movedMs + endsInMs).toISOString(),
        }),
      })
      if (made === null) return
      account.teamKeys.push({
        id: made.id,
        keys: [{ text: made.key, endsAt: null }],
        cap,
        period,
        hourlyLimit,
        expiresAt: endsInMs === null ? null : model.now + endsInMs,
        isRevoked: false,
        hour: emptyWindow(),
        spent: [],
      })
    },
  )

const isLive = ({ expiresAt, isRevoked }: TeamKey, now: number): boolean =>
  !isRevoked && (expiresAt === null || expiresAt > now)

const onLive = (
  which: number,
  team: number,
  name: string,
  apply: (model: Model, real: Real, account: Account, lineage: TeamKey) => Promise<void>,
) =>
  manage(
    which,
    name,
    ({ teamKeys }) => teamKeys.length > 0,
    async (model, real, account) => {
      const lineage = account.teamKeys[team % account.teamKeys.length]
      if (isLive(lineage, model.now)) await apply(model, real, account, lineage)
    },
  )

const rotate = (which: number, team: number, overlapMs: number) =>
  onLive(
    which,
    team,
    `rotate team key ${team} with ${overlapMs} ms`,
    async (model, real, account, lineage) => {
      const rotated = await ask(model, real, account, 'rotate', {
        id: lineage.id,
        overlap_seconds: overlapMs / 1_000,
      })
      if (rotated === null) return
      const end = model.now + overlapMs
      for (const key of lineage.keys) key.endsAt = Math.min(key.endsAt ?? end, end)
      lineage.keys.push({ text: rotated.key, endsAt: null })
    },
  )

const update = (which: number, team: number, cap: number | null, period: TeamKey['period']) =>
  onLive(which, team, `set team key ${team} to ${cap} a ${period}`, async (model, real, account, lineage) => {
    const body = { id: lineage.id, credit_cap: cap, cap_period: period }
    if ((await ask(model, real, account, 'update', body)) !== null) Object.assign(lineage, { cap, period })
  })

const revoke = (which: number, team: number) =>
  onLive(which, team, `revoke team key ${team}`, async (model, real, account, lineage) => {
    if ((await ask(model, real, account, 'revoke', { id: lineage.id })) !== null) lineage.isRevoked = true
  })

const which = fc.nat(3)
const team = fc.nat(7)
const caps = fc.option(fc.integer({ min: 1, max: 5 }), { freq: 6 })
const periods = fc.constantFrom('total' as const, 'day' as const, 'month' as const)
const settings = fc.record({
  cap: caps,
  period: periods,
  hourlyLimit: fc.option(fc.integer({ min: 1, max: 20 }), { freq: 1 }),
  endsInMs: fc.option(fc.constantFrom(0.7 * HOUR, 30 * HOUR), { freq: 1 }),
})

export const teamKeyCommands = [
  fc.tuple(which, settings).map(([of, given]) => createTeamKey(of, given)),
  fc
    .tuple(which, team, fc.constantFrom(0, HOUR, 20 * HOUR))
    .map(([of, key, overlap]) => rotate(of, key, overlap)),
  fc.tuple(which, team, caps, periods).map(([of, key, cap, period]) => update(of, key, cap, period)),
  fc.tuple(which, team).map(([of, key]) => revoke(of, key)),
]
