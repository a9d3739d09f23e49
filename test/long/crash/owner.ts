/**
 * An account with team keys, to which an operator grants credits, and takes them back, while its clients call. Each such order is
 * repeated until it is done, whatever fault strikes meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Quantd } from '../../support/operator.ts'
import type { PlainSql } from '../../support/plain-sql.ts'
import { reached, request } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import type { Chance } from './schedule.ts'

export interface Owner {
  readonly id: number
  /** The keys of the account's clients: its own key, and team keys with and without a cap. */
  readonly apiKeys: readonly string[]
  /** Holds orders back while a fault needs the files closed; resolves when no order is running. */
  pause(): Promise<void>
  resume(): void
  /** Ends the orders; resolves when the last one is done. */
  end(): Promise<void>
  /** The rules that the orders broke, as sentences. */
  violations(): Promise<string[]>
}

interface Order {
  readonly args: readonly string[]
  readonly reference: string
}

/** The cap of the team key that uses it up. */
const CAP = 60
/** Errors of a grant whose expiry has passed, and of the reversal of a grant that was not booked for that reason. */
const NOT_BOOKED = /in the past|No grant has the reference/
const PAUSE_MS = 150
const AGAIN_MS = 100
/** The time limit of an order, far longer than any fault. */
const ORDER_MS = 300_000

interface Surroundings {
  readonly quantd: Quantd
  readonly sql: PlainSql
  readonly url: string
  /** A file of checkpoints. */
  readonly exported: string
}

export async function startOwner(
  { exported, quantd, sql, url }: Surroundings,
  name: string,
  draw: Chance,
): Promise<Owner> {
  const email = `${name}@example.org`
  const admin = async (args: readonly string[]) => {
    const { code, err, json } = await quantd(['admin', ...args, '--json'])
    if (code !== 0) throw new Error(err)
    return json
  }
  const { account_id: id, api_key: own } = await admin(['create', email, '--credits', '40'])
  await admin(['set-limits', email, '--hour', '100000000'])
  const team = async (settings: object): Promise<string> => {
    const body = { name: 'crash', ...settings }
    const made = await reached(() => request(`${url}/user/keys/create`, { key: own, body }))
    return made.body.data.key
  }
  const [capped, free] = [await team({ credit_cap: CAP }), await team({})]

  const done: Order[] = []
  let isOver = false
  let isPaused = false
  let isBusy = false
  /** Repeats an order until it is done; false where there is nothing to book. */
  const fulfil = async (order: Order): Promise<boolean> => {
    const deadline = performance.now() + ORDER_MS
    for (;;) {
      await until(() => !isPaused, 'orders go on')
      isBusy = true
      const { code, err } = await quantd(order.args).finally(() => {
        isBusy = false
      })
      if (code === 0) return true
      // This error proves that the grant was not booked: a booked grant is replayed before its expiry is checked.
      if (NOT_BOOKED.test(err)) return false
      if (performance.now() > deadline) throw new Error(`an order was not done: ${err}`)
      await sleep(AGAIN_MS)
    }
  }
  const work = async () => {
    for (let number = 1; !isOver; number++) {
      const order = orderOf(name, email, number, draw)
      if (await fulfil(order)) done.push(order)
      await sleep(PAUSE_MS)
    }
  }
  const working = work()
  working.catch(() => undefined)
  return {
    id,
    apiKeys: [own, capped, capped, free],
    async pause() {
      isPaused = true
      await until(() => !isBusy, 'no order is on its way')
    },
    resume() {
      isPaused = false
    },
    async end() {
      isOver = true
      await working
    },
    async violations() {
      const faults: string[] = []
      const movements = await sql.query<{ reference: string }>(
        'SELECT reference FROM ledger WHERE account_id = $1 AND reference IS NOT NULL',
        [id],
      )
      const booked = movements.map(({ reference }) => reference).sort()
      const ordered = done.map(({ reference }) => reference).sort()
      if (booked.join() !== ordered.join()) faults.push(`orders ${ordered}, booked ${booked}`)
      const check = await quantd(['admin', 'verify-ledger'])
      if (check.code !== 0) faults.push(`verify-ledger: ${check.out}${check.err}`)
      const audit = await quantd(['verify-audit', '--checkpoints', exported])
      if (audit.code !== 0) faults.push(`verify-audit: ${audit.out}${audit.err}`)
      const [{ spent }] = await sql.query<{ spent: number }>(
        'SELECT spent FROM team_keys WHERE account_id = $1 AND credit_cap IS NOT NULL',
        [id],
      )
      if (spent > CAP) faults.push(`${spent} were spent of a cap of ${CAP}`)
      return faults
    },
  }
}

/** A grant, which mostly expires soon. One in eight does not expire, and becomes a debt when it is taken back. */
function orderOf(name: string, email: string, number: number, draw: Chance): Order {
  const reference = `${name} ${number}`
  const chance = draw()
  const reversed = number % 4 === 0 ? number - 1 : number % 8 === 6 ? number - 5 : null
  if (reversed !== null)
    return { reference, args: ['admin', 'reverse', `${name} ${reversed}`, '21', '--reference', reference] }
  const end = new Date(Date.now() + 300 + 3_000 * chance).toISOString()
  const args = ['admin', 'grant', email, '30', '--reference', reference]
  return { reference, args: number % 8 === 1 ? args : [...args, '--expires', end] }
}
