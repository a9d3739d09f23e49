/** Commands that compare a real service with the model, step by step. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expireLots as bookExpired } from '../../../src/app/main/clean-up.ts'
import { createAccount, setLimits, setSuspended } from '../../../src/operators/account-changes.ts'
import { checkLedger } from '../../../src/operators/ledger-check.ts'
import { sealKey } from '../../../src/secrets/keys.ts'
import { fixedMasterKeys, parseMasterKeys } from '../../../src/secrets/master-keys.ts'
import { openVault } from '../../../src/secrets/vault.ts'
import { sqlOf } from '../../support/ledger-accounts.ts'
import { operatorEvent } from '../../support/new-account.ts'
import type { PlainSql } from '../../support/plain-sql.ts'
import { type Answer, startTestService, TEST_MASTER_KEY } from '../../support/service.ts'
import { tidied } from '../../support/tidied.ts'
import {
  type Account,
  balanceOf,
  DAY,
  emptyWindow,
  expected,
  expireLots,
  HOUR,
  isMember,
  LOW_CREDITS,
  MINUTE,
  type Model,
  open,
  sumOfLots,
  type Used,
} from './account.ts'
import { type Command, check, command, hasAccounts, pickAccount, type Real } from './check.ts'
import { grantOrAgain, moneyCommands } from './money.ts'
import { createTeamKey, teamKeyCommands } from './team-keys.ts'

const PATH = '/quantlib/economics/utility/log'
/**
 * Multiples of five minutes, so that the two clocks, which differ by the time a run takes, never disagree about
 * which window it is.
 */
const MOVES = [5 * MINUTE, HOUR / 2, HOUR + 10 * MINUTE, DAY / 2, DAY + HOUR]

const post = ({ service }: Real, key: string, wealth: number, idempotencyKey?: string): Promise<Answer> =>
  service.call(PATH, {
    key,
    body: { wealth },
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  })

function checkAnswer(
  model: Model,
  account: Account,
  answer: Answer,
  want: ReturnType<typeof expected>,
  used: Used | null = null,
): void {
  assert.equal(answer.status, want.status, answer.text)
  if (want.code !== null) assert.equal(answer.body.error.code, want.code)
  if (want.code === 'api_key_invalid' || want.code === 'guest_key_expired') return
  const header = (name: string) => answer.headers.get(name)
  assert.equal(header('x-credits-remaining'), String(balanceOf(account)))
  if (want.cost !== null) assert.equal(header('x-credits-cost'), String(want.cost))
  assert.equal(header('idempotent-replayed'), want.replayed ? 'true' : null)
  const hour = account.hourLimit - open(account.hour, HOUR, model.now).count
  const day = account.dayLimit === null ? null : account.dayLimit - open(account.day, DAY, model.now).count
  const left = [...header('ratelimit')!.matchAll(/"(hour|day|key_hour)";r=(\d+)/g)].map(
    ([, name, r]) => `${name} ${r}`,
  )
  const limit = used?.team.hourlyLimit ?? null
  const keyHour = limit === null ? null : limit - open(used!.team.hour, HOUR, model.now).count
  const shown = Object.entries({ hour, day, key_hour: keyHour }).filter(([, count]) => count !== null)
  assert.deepEqual(
    left,
    shown.map(([name, count]) => `${name} ${Math.max(0, Number(count))}`),
  )
}

/** A key of the account: its own, or one of a lineage of its team keys. */
function keyOf(account: Account, real: Real, team: number | null): { text: string; used: Used | null } {
  const lineage = team === null ? undefined : account.teamKeys[team % Math.max(1, account.teamKeys.length)]
  if (lineage === undefined) return { text: account.key, used: null }
  const { text } = lineage.keys[(team ?? 0) % lineage.keys.length]
  return { text, used: { team: lineage, text, clock: new Date(Date.now() + real.movedMs) } }
}

const call = (which: number, wealth: number, key: string | null, team: number | null): Command =>
  command(
    `call(${which}, wealth ${wealth}, ${key ?? 'no key'}, team key ${team})`,
    async (model, real) => {
      const account = pickAccount(model, which)
      const { text, used } = keyOf(account, real, team)
      const want = expected(model, account, wealth, key, used)
      const answer = await post(real, text, wealth, key ?? undefined)
      checkAnswer(model, account, answer, want, used)
      await check(model, real, account)
      const bound = key === null ? undefined : account.bound.get(key)
      if (want.status !== 200 || bound === undefined) return
      if (want.replayed) assert.equal(answer.text, bound.text)
      else bound.text = answer.text
    },
    hasAccounts,
  )

/** A call so long that it is admitted before it is computed; its credit is in flight until it is settled. */
const LONG = {
  path: '/quantlib/ml/credit/discrimination',
  raw: JSON.stringify({
    y_true: Array.from({ length: 6_000 }, (_, row) => row % 2),
    y_score: Array.from({ length: 6_000 }, (_, row) => row % 7),
  }),
}

/** Many calls at once: their order is not determined, but their sum is, whether they take one entry or are in flight. */
const burst = (which: number, calls: number, isInFlight: boolean, team: number | null): Command =>
  command(
    `burst(${which}, ${calls}${isInFlight ? ', in flight' : ''}, team key ${team})`,
    async (model, real) => {
      const account = pickAccount(model, which)
      const { text: key, used } = keyOf(account, real, team)
      const wanted = Array.from({ length: calls }, () => expected(model, account, 2, null, used).status)
      const send = () =>
        isInFlight ? real.service.call(LONG.path, { key, raw: LONG.raw }) : post(real, key, 2)
      const got = await Promise.all(wanted.map(async () => (await send()).status))
      assert.deepEqual(got.sort(), wanted.sort())
      model.operations += calls - 1
      await check(model, real, account)
    },
    hasAccounts,
  )

/** A new account in the model. */
const create = (name: string, account: (model: Model, real: Real) => Promise<Account>): Command =>
  command(
    name,
    async (model, real) => {
      const made = await account(model, real)
      model.accounts.push(made)
      await check(model, real, made)
    },
    ({ accounts }) => accounts.length < 4,
  )

async function createGuest(model: Model, { service, sql }: Real): Promise<Account> {
  const key = await service.guest()
  const [row] = await sql.query<{ id: number; key_id: number }>(
    'SELECT account_id AS id, id AS key_id FROM api_keys ORDER BY id DESC LIMIT 1',
  )
  return freshAccount(model, row!.id, key, row!.key_id)
}

const freshAccount = (model: Model, id: number, key: string, keyId: number): Account => ({
  id,
  key,
  keyId,
  oldKeys: [],
  suspended: false,
  expiresAt: model.now + DAY,
  isGuest: true,
  hourLimit: 60,
  dayLimit: 50,
  given: 50,
  debited: 0,
  debt: 0,
  computations: 0,
  grants: [],
  teamKeys: [],
  eventCounts: {},
  bound: new Map(),
  hour: emptyWindow(),
  day: emptyWindow(),
  minute: emptyWindow(),
  work: emptyWindow(),
})

/** A registered account, whose owner may have team keys. */
async function createMember(model: Model, { service, sql }: Real): Promise<Account> {
  const uid = crypto.randomUUID()
  const email = `${uid}@example.org`
  const { apiKey, stored } = sealKey(vault, 'user', uid)
  const created = await service.store.run(createAccount, {
    uid,
    address: email,
    email,
    username: 'model',
    fullName: 'model',
    passwordHash: 'none',
    tier: 'free' as const,
    credits: 60,
    key: stored,
    event: operatorEvent(),
  })
  const accountId = created!.accountId
  await service.store.run(setLimits, { accountId, hour: 90, event: operatorEvent() })
  const [key] = await sql.query<{ id: number }>('SELECT id FROM api_keys WHERE account_id = $1', [accountId])
  return {
    ...freshAccount(model, accountId, apiKey, key!.id),
    isGuest: false,
    expiresAt: null,
    hourLimit: 90,
    dayLimit: null,
    given: 60,
  }
}

const vault = openVault(fixedMasterKeys(parseMasterKeys(TEST_MASTER_KEY, 'the tests')))

type Apply = (model: Model, real: Real, account: Account) => Promise<void>

/** A change by an administrator or an account endpoint, written with the same SQL effect. */
const change = (name: string, apply: Apply): fc.Arbitrary<Command> =>
  which.map((of) =>
    command(
      `${name}(${of})`,
      async (model, real) => {
        const account = pickAccount(model, of)
        await apply(model, real, account)
        for (const old of account.oldKeys.slice(-2)) assert.equal((await post(real, old, 2)).status, 401)
        await check(model, real, account)
      },
      hasAccounts,
    ),
  )

const writeGrant = (sql: PlainSql, { id }: Account, amount: number) =>
  sql.query(
    `INSERT INTO ledger (at, account_id, kind, amount)
     VALUES (1, $1, 'grant', $2)`,
    [id, amount],
  )

const grant: Apply = async (_model, { service, sql }, account) => {
  await service.store.run(bookExpired)
  await sql.query('UPDATE accounts SET balance = balance + 7 WHERE id = $1', [account.id])
  await writeGrant(sql, account, 7)
  account.given += 7
}

/** Leaves three credits, so that the next burst asks for more than there are. */
const drain: Apply = async (_model, { service, sql }, account) => {
  // Credits that expire are lots, which this statement does not change.
  const taken = balanceOf(account) - sumOfLots(account) - 3
  if (taken <= 0) return
  await service.store.run(bookExpired)
  await sql.query('UPDATE accounts SET balance = balance - $1 WHERE id = $2', [taken, account.id])
  await writeGrant(sql, account, -taken)
  account.given -= taken
}

/** The effect of verification: a registered account without expiry or day window, with 350 credits. */
const verify: Apply = async (model, { sql }, account) => {
  if (account.expiresAt === null || account.expiresAt <= model.now) return
  await sql.query(
    `UPDATE accounts SET tier = 'free', expires_at = NULL, hour_limit = 90, balance = balance + 350 WHERE id = $1`,
    [account.id],
  )
  await writeGrant(sql, account, 350)
  Object.assign(account, { expiresAt: null, isGuest: false, hourLimit: 90, dayLimit: null })
  account.given += 350
}

/** Uses up the processor time of the account's hour. */
const overwork: Apply = async (model, { movedMs, sql }, account) => {
  await sql.query('UPDATE accounts SET work_started_at = $1, work_micros = 600000000 WHERE id = $2', [
    Date.now() + movedMs,
    account.id,
  ])
  account.work = { startedAt: model.now, count: 1 }
}

const suspend: Apply = async (_model, { service }, account) => {
  account.suspended = !account.suspended
  const { id: accountId, suspended } = account
  await service.store.run(setSuspended, { accountId, suspended, event: operatorEvent() })
}

/** Replaces the key by that of an account created for this; the old key is revoked, counts and credits stay. */
const regenerate: Apply = async (model, real, account) => {
  if (account.suspended || isMember(account)) return
  const donor = await createGuest(model, real)
  await real.sql.query(`UPDATE api_keys SET status = 'revoked' WHERE id = $1`, [account.keyId])
  await moveKey(real.sql, donor.keyId, account.id)
  account.oldKeys.push(account.key)
  account.key = donor.key
  account.keyId = donor.keyId
}

/** Deletes and inserts the key's row: on Citus a row cannot change its account, which determines its server. */
async function moveKey(sql: PlainSql, keyId: number, accountId: number): Promise<void> {
  const [key] = await sql.query('SELECT * FROM api_keys WHERE id = $1', [keyId])
  await sql.query('DELETE FROM api_keys WHERE id = $1', [keyId])
  const moved = { ...key!, account_id: accountId }
  const places = Object.keys(moved).map((_, index) => `$${index + 1}`)
  await sql.query(`INSERT INTO api_keys (${Object.keys(moved)}) VALUES (${places})`, Object.values(moved))
}

const expire: Apply = async (model, real, account) => {
  if (account.expiresAt === null || account.expiresAt <= model.now) return
  await real.sql.query('UPDATE accounts SET expires_at = $1 WHERE id = $2', [
    Date.now() + real.movedMs - 1,
    account.id,
  ])
  account.expiresAt = model.now
}

const moveClock = (ms: number, isTidied: boolean): Command =>
  command(`move the clock by ${ms} ms${isTidied ? ', tidied' : ''}`, async (model, real) => {
    const { service } = real
    service.advance(ms)
    real.movedMs += ms
    model.now += ms
    model.operations += 1
    for (const account of model.accounts) expireLots(account, model.now)
    // Without the clean-up, calls book expired credits.
    if (!isTidied) return
    // The clean-up, as a node runs it once a minute: guests a week after they expired, and expired bindings.
    await tidied(service)
    const isGone = ({ expiresAt }: Account) => expiresAt !== null && expiresAt <= model.now - 7 * DAY
    for (const { key } of model.accounts.filter(isGone).slice(0, 2)) {
      const answer = await service.call(PATH, { key, body: { wealth: 2 } })
      assert.deepEqual([answer.status, answer.body.message], [401, 'Invalid or expired API key'])
    }
    model.accounts = model.accounts.filter((account) => !isGone(account))
  })

const which = fc.nat(3)
const wealths = fc.constantFrom(2, 2, 2, 3, -1)
const keys = fc.constantFrom('a', 'b', 'c')

/** The team key of a command, or null for the account's own key: mostly a team key. */
const teams = fc.option(fc.nat(7), { freq: 3 })

/** A member with a team key and credits that expire. */
const beginning = (): Command[] => [
  create('create member', createMember),
  createTeamKey(0, { cap: 5, period: 'day', hourlyLimit: 3, endsInMs: null }),
  grantOrAgain(0, 40, 42.5 * MINUTE, null),
  grantOrAgain(0, 30, null, null),
]

const commands = fc.commands(
  [
    which.map((of) => call(of, 2, null, null)),
    fc.tuple(which, wealths, teams).map(([of, wealth, team]) => call(of, wealth, null, team)),
    fc.tuple(which, teams).map(([of, team]) => call(of, 2, null, team)),
    fc.tuple(which, fc.nat(7)).map(([of, team]) => burst(of, 4, false, team)),
    fc.tuple(which, wealths, keys, teams).map(([of, wealth, key, team]) => call(of, wealth, key, team)),
    fc.tuple(which, wealths, keys).map(([of, wealth, key]) => call(of, wealth, key, null)),
    fc
      .tuple(which, fc.integer({ min: 2, max: 40 }), fc.boolean(), teams)
      .map(([of, calls, isInFlight, team]) => burst(of, calls, isInFlight, team)),
    fc.constant(create('create guest', createGuest)),
    fc.constant(create('create member', createMember)),
    change('grant', grant),
    change('drain', drain),
    change('overwork', overwork),
    change('verify', verify),
    change('suspend or lift', suspend),
    change('regenerate', regenerate),
    change('expire', expire),
    ...moneyCommands,
    ...teamKeyCommands,
    fc.tuple(fc.constantFrom(...MOVES), fc.boolean()).map(([ms, isTidied]) => moveClock(ms, isTidied)),
  ],
  { maxCommands: 100, size: 'max' },
)

/** Runs until at least this many operations were compared with the model; returns their number. */
export async function holdAgainstModel(options: {
  operations: number
  seed: number
}): Promise<{ operations: number; runs: number }> {
  const service = await startTestService({
    QUANTD_IP_LIMITS: 'off',
    QUANTD_LOW_CREDITS: String(LOW_CREDITS),
  })
  const sql = sqlOf(service)
  const real: Real = { service, sql, movedMs: 0 }
  let [operations, runs] = [0, 0]
  try {
    for (let seed = options.seed; operations < options.operations; seed++)
      await fc.assert(
        fc.asyncProperty(commands, async (sequence) => {
          const model: Model = { now: START, accounts: [], operations: 0 }
          for (const command of beginning()) await command.run(model, real)
          await fc.asyncModelRun(() => ({ model, real }), sequence)
          const { faults, lineageFaults, reversalFaults } = await service.store.run(checkLedger, null)
          assert.deepEqual([faults, lineageFaults, reversalFaults], [[], [], []])
          operations += model.operations
          runs += 1
        }),
        { seed, numRuns: 1, endOnFailure: true },
      )
  } finally {
    await sql.close()
    await service.close()
  }
  return { operations, runs }
}

const START = 1_000_000_000_000
