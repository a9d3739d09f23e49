/** A one-page model of the ledger, and commands that compare a real service with it, step by step. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { tidy } from '../../../src/main/tidy.ts'
import { ledgerStateOf, sqlOf } from '../../support/ledger-accounts.ts'
import type { PlainSql } from '../../support/plain-sql.ts'
import { type Answer, startTestService, type TestService } from '../../support/service.ts'

const PATH = '/quantlib/economics/utility/log'
const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

interface Window {
  startedAt: number
  count: number
}

interface Account {
  readonly id: number
  key: string
  keyId: number
  readonly oldKeys: string[]
  suspended: boolean
  /** Guests: 60 an hour and 50 a day, 24 hours long. */
  expiresAt: number | null
  hourLimit: number
  dayLimit: number | null
  given: number
  debited: number
  computations: number
  hour: Window
  day: Window
  minute: Window
  readonly bound: Map<string, { wealth: number; text: string; expiresAt: number; replays: number }>
}

/** The expected state of the service. Its clock differs from the database's by the few milliseconds of a call. */
export interface Model {
  now: number
  accounts: Account[]
  /** Created by the service; its keys replace those of other accounts. */
  operations: number
}

export interface Real {
  readonly service: TestService
  readonly sql: PlainSql
  /** How far the service's clock was advanced, in this run and the earlier ones. */
  movedMs: number
}

type Command = fc.AsyncCommand<Model, Real>

/**
 * Multiples of five minutes, so that the two clocks, which differ by the time a run takes, never disagree about
 * which window it is.
 */
const MOVES = [5 * MINUTE, HOUR / 2, HOUR + 10 * MINUTE, DAY / 2, DAY + HOUR]

const open = (window: Window, length: number, now: number): Window =>
  window.startedAt > 0 && now < window.startedAt + length ? window : { startedAt: now, count: 0 }

const pickAccount = (model: Model, which: number): Account => model.accounts[which % model.accounts.length]

const post = ({ service }: Real, key: string, wealth: number, idempotencyKey?: string): Promise<Answer> =>
  service.call(PATH, {
    key,
    body: { wealth },
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  })

/** The reply that the model expects to a call; updates the model. */
function expected(model: Model, account: Account, wealth: number, key: string | null) {
  const { now } = model
  const code = (status: number, name: string) => ({ status, code: name, cost: null, replayed: false })
  if (account.suspended) return code(401, 'api_key_invalid')
  if (account.expiresAt !== null && account.expiresAt <= now) return code(401, 'guest_key_expired')
  const bound = key === null ? undefined : account.bound.get(key)
  if (bound !== undefined && bound.expiresAt > now) {
    if (bound.wealth !== wealth) return code(409, 'idempotency_conflict')
    if (bound.replays === 10) return code(429, 'rate_limited')
    account.minute = open(account.minute, MINUTE, now)
    if (account.minute.count === 120) return code(429, 'rate_limited')
    account.minute.count += 1
    bound.replays += 1
    account.computations += 1
    return { status: 200, code: null, cost: 0, replayed: true }
  }
  const hour = open(account.hour, HOUR, now)
  const day = open(account.day, DAY, now)
  if (account.given - account.debited < 1) return code(402, 'credits_exhausted')
  if (hour.count >= account.hourLimit) return code(429, 'rate_limited')
  if (account.dayLimit !== null && day.count >= account.dayLimit) return code(429, 'rate_limited')
  account.hour = { ...hour, count: hour.count + 1 }
  account.day = { ...day, count: day.count + 1 }
  account.computations += 1
  if (wealth <= 0) return code(422, 'invalid_input')
  account.debited += 1
  if (key !== null) account.bound.set(key, { wealth, text: '', expiresAt: now + DAY, replays: 0 })
  return { status: 200, code: null, cost: 1, replayed: false }
}

async function check(model: Model, { sql }: Real, account: Account): Promise<void> {
  const state = await ledgerStateOf(sql, account.id)
  const { computations: auditRows, debited, given, hour } = account
  assert.deepEqual(state, { balance: given - debited, hour: hour.count, given, debited, auditRows })
  assert.ok(state.balance >= 0)
  model.operations += 1
}

function checkAnswer(
  model: Model,
  account: Account,
  answer: Answer,
  want: ReturnType<typeof expected>,
): void {
  assert.equal(answer.status, want.status, answer.text)
  if (want.code !== null) assert.equal(answer.body.error.code, want.code)
  if (want.code === 'api_key_invalid' || want.code === 'guest_key_expired') return
  const header = (name: string) => answer.headers.get(name)
  assert.equal(header('x-credits-remaining'), String(account.given - account.debited))
  if (want.cost !== null) assert.equal(header('x-credits-cost'), String(want.cost))
  assert.equal(header('idempotent-replayed'), want.replayed ? 'true' : null)
  const hour = account.hourLimit - open(account.hour, HOUR, model.now).count
  const day = account.dayLimit === null ? null : account.dayLimit - open(account.day, DAY, model.now).count
  const left = [...header('ratelimit')!.matchAll(/"(hour|day)";r=(\d+)/g)].map(
    ([, name, r]) => `${name} ${r}`,
  )
  assert.deepEqual(left, [`hour ${Math.max(0, hour)}`, ...(day === null ? [] : [`day ${Math.max(0, day)}`])])
}

class Call implements Command {
  readonly which: number
  readonly wealth: number
  readonly key: string | null

  constructor(which: number, wealth: number, key: string | null) {
    this.which = which
    this.wealth = wealth
    this.key = key
  }

  check = (model: Model) => model.accounts.length > 0

  async run(model: Model, real: Real): Promise<void> {
    const account = pickAccount(model, this.which)
    const want = expected(model, account, this.wealth, this.key)
    const answer = await post(real, account.key, this.wealth, this.key ?? undefined)
    checkAnswer(model, account, answer, want)
    await check(model, real, account)
    const bound = this.key === null ? undefined : account.bound.get(this.key)
    if (want.status !== 200 || bound === undefined) return
    if (want.replayed) assert.equal(answer.text, bound.text)
    else bound.text = answer.text
  }

  toString = () => `call(${this.which}, wealth ${this.wealth}, ${this.key ?? 'no key'})`
}

/** So large that a call is admitted before it is computed: its credit is in flight until it is settled. */
const LARGE = '{"wealth":2}'.padEnd(9_000)

/** Many calls at once: their order is not determined, but their sum is, whether they take one entry or are in flight. */
class Burst implements Command {
  readonly which: number
  readonly calls: number
  readonly isInFlight: boolean

  constructor(which: number, calls: number, isInFlight: boolean) {
    this.which = which
    this.calls = calls
    this.isInFlight = isInFlight
  }

  check = (model: Model) => model.accounts.length > 0

  async run(model: Model, real: Real): Promise<void> {
    const account = pickAccount(model, this.which)
    const wanted = Array.from({ length: this.calls }, () => expected(model, account, 2, null).status)
    const { key } = account
    const send = () => (this.isInFlight ? real.service.call(PATH, { key, raw: LARGE }) : post(real, key, 2))
    const got = await Promise.all(wanted.map(async () => (await send()).status))
    assert.deepEqual(got.sort(), wanted.sort())
    model.operations += this.calls - 1
    await check(model, real, account)
  }

  toString = () => `burst(${this.which}, ${this.calls}${this.isInFlight ? ', in flight' : ''})`
}

const emptyWindow = (): Window => ({ startedAt: 0, count: 0 })

class CreateGuest implements Command {
  check = (model: Model) => model.accounts.length < 6

  async run(model: Model, real: Real): Promise<void> {
    model.accounts.push(await createGuest(model, real))
    await check(model, real, model.accounts.at(-1)!)
  }

  toString = () => 'create guest'
}

async function createGuest(model: Model, { service, sql }: Real): Promise<Account> {
  const key = await service.guest()
  const [row] = await sql.query<{ id: number; key_id: number }>(
    'SELECT account_id AS id, id AS key_id FROM api_keys ORDER BY id DESC LIMIT 1',
  )
  return {
    id: row!.id,
    key,
    keyId: row!.key_id,
    oldKeys: [],
    suspended: false,
    expiresAt: model.now + DAY,
    hourLimit: 60,
    dayLimit: 50,
    given: 50,
    debited: 0,
    computations: 0,
    hour: emptyWindow(),
    day: emptyWindow(),
    minute: emptyWindow(),
    bound: new Map(),
  }
}

/** A change by an administrator or an account endpoint, written with the same SQL effect. */
class Change implements Command {
  readonly which: number
  readonly name: string
  readonly apply: (model: Model, real: Real, account: Account) => Promise<void>

  constructor(which: number, name: string, apply: Change['apply']) {
    this.which = which
    this.name = name
    this.apply = apply
  }

  check = (model: Model) => model.accounts.length > 0

  async run(model: Model, real: Real): Promise<void> {
    const account = pickAccount(model, this.which)
    await this.apply(model, real, account)
    for (const old of account.oldKeys.slice(-2)) assert.equal((await post(real, old, 2)).status, 401)
    await check(model, real, account)
  }

  toString = () => `${this.name}(${this.which})`
}

const writeGrant = (sql: PlainSql, { id }: Account, amount: number) =>
  sql.query(
    `INSERT INTO ledger (at, account_id, kind, amount)
     VALUES (1, $1, 'grant', $2)`,
    [id, amount],
  )

const grant: Change['apply'] = async (_model, { sql }, account) => {
  await sql.query('UPDATE accounts SET balance = balance + 7 WHERE id = $1', [account.id])
  await writeGrant(sql, account, 7)
  account.given += 7
}

/** Leaves three credits, so that the next burst asks for more than there are. */
const drain: Change['apply'] = async (_model, { sql }, account) => {
  const taken = account.given - account.debited - 3
  if (taken <= 0) return
  await sql.query('UPDATE accounts SET balance = balance - $1 WHERE id = $2', [taken, account.id])
  await writeGrant(sql, account, -taken)
  account.given -= taken
}

/** The effect of verification: a registered account without expiry or day window, with 350 credits. */
const verify: Change['apply'] = async (model, { sql }, account) => {
  if (account.expiresAt === null || account.expiresAt <= model.now) return
  await sql.query(
    `UPDATE accounts SET tier = 'free', expires_at = NULL, hour_limit = 90, balance = balance + 350 WHERE id = $1`,
    [account.id],
  )
  await writeGrant(sql, account, 350)
  Object.assign(account, { expiresAt: null, hourLimit: 90, dayLimit: null, given: account.given + 350 })
}

const suspend: Change['apply'] = async (_model, { sql }, account) => {
  account.suspended = !account.suspended
  const status = account.suspended ? 'suspended' : 'active'
  await sql.query('UPDATE api_keys SET status = $1 WHERE id = $2', [status, account.keyId])
}

/** Replaces the key by that of an account created for this; the old key is revoked, counts and credits stay. */
const regenerate: Change['apply'] = async (model, real, account) => {
  if (account.suspended) return
  const donor = await createGuest(model, real)
  await real.sql.query(`UPDATE api_keys SET status = 'revoked' WHERE id = $1`, [account.keyId])
  await moveKey(real.sql, donor.keyId, account.id)
  account.oldKeys.push(account.key)
  account.key = donor.key
  account.keyId = donor.keyId
}

/** The row is written anew: on Citus it cannot change its account, which tells its server. */
async function moveKey(sql: PlainSql, keyId: number, accountId: number): Promise<void> {
  const [key] = await sql.query('SELECT * FROM api_keys WHERE id = $1', [keyId])
  await sql.query('DELETE FROM api_keys WHERE id = $1', [keyId])
  const moved = { ...key!, account_id: accountId }
  const places = Object.keys(moved).map((_, index) => `$${index + 1}`)
  await sql.query(`INSERT INTO api_keys (${Object.keys(moved)}) VALUES (${places})`, Object.values(moved))
}

const expire: Change['apply'] = async (model, real, account) => {
  if (account.expiresAt === null || account.expiresAt <= model.now) return
  await real.sql.query('UPDATE accounts SET expires_at = $1 WHERE id = $2', [
    Date.now() + real.movedMs - 1,
    account.id,
  ])
  account.expiresAt = model.now
}

class MoveClock implements Command {
  readonly ms: number

  constructor(ms: number) {
    this.ms = ms
  }

  check = () => true

  async run(model: Model, real: Real): Promise<void> {
    const { service } = real
    service.advance(this.ms)
    real.movedMs += this.ms
    model.now += this.ms
    model.operations += 1
    // The clean-up, as a node runs it once a minute: guests a week after they expired, and expired bindings.
    await tidy(service.store, null)
    const isGone = ({ expiresAt }: Account) => expiresAt !== null && expiresAt <= model.now - 7 * DAY
    for (const { key } of model.accounts.filter(isGone).slice(0, 2)) {
      const answer = await service.call(PATH, { key, body: { wealth: 2 } })
      assert.deepEqual([answer.status, answer.body.message], [401, 'Invalid or expired API key'])
    }
    model.accounts = model.accounts.filter((account) => !isGone(account))
  }

  toString = () => `move the clock by ${this.ms} ms`
}

const which = fc.nat(5)
const change = (name: string, apply: Change['apply']) => which.map((of) => new Change(of, name, apply))
const wealths = fc.constantFrom(2, 2, 2, 3, -1)
const keys = fc.constantFrom('a', 'b', 'c')

export const commands = (maxCommands: number) =>
  fc.commands(
    [
      which.map((of) => new Call(of, 2, null)),
      fc.tuple(which, wealths).map(([of, wealth]) => new Call(of, wealth, null)),
      fc.tuple(which, wealths, keys).map(([of, wealth, key]) => new Call(of, wealth, key)),
      fc.tuple(which, wealths, keys).map(([of, wealth, key]) => new Call(of, wealth, key)),
      fc
        .tuple(which, fc.integer({ min: 2, max: 40 }), fc.boolean())
        .map(([of, calls, isInFlight]) => new Burst(of, calls, isInFlight)),
      fc.constant(new CreateGuest()),
      change('grant', grant),
      change('drain', drain),
      change('verify', verify),
      change('suspend or lift', suspend),
      change('regenerate', regenerate),
      change('expire', expire),
      fc.constantFrom(...MOVES).map((ms) => new MoveClock(ms)),
    ],
    { maxCommands, size: 'max' },
  )

/** Runs until at least this many operations were compared with the model; returns their number. */
export async function holdAgainstModel(options: {
  operations: number
  seed: number
  commandsPerRun: number
}): Promise<{ operations: number; runs: number }> {
  const service = await startTestService({ QUANTD_IP_LIMITS: 'off' })
  const sql = sqlOf(service)
  const real: Real = { service, sql, movedMs: 0 }
  let [operations, runs] = [0, 0]
  try {
    for (let seed = options.seed; operations < options.operations; seed++)
      await fc.assert(
        fc.asyncProperty(commands(options.commandsPerRun), async (sequence) => {
          const model: Model = { now: START, accounts: [], operations: 0 }
          await fc.asyncModelRun(() => ({ model, real }), sequence)
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
