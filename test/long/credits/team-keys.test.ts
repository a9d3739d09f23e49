/** Team keys on one node and on three: caps under rotations and across midnight, and keys that have ended. */
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkLedger } from '../../../src/operators/ledger-check.ts'
import { query } from '../../support/database.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { freshEmail, type PeopleService, startWithoutIpLimits } from '../../support/people.ts'
import { until } from '../../support/until.ts'
import { post } from './post.ts'

const NODES = process.env.QUANTD_TEST_DATABASE === 'postgres' ? 3 : 1
const DAY_MS = 86_400_000
const CONNECTIONS = 200
const AGAIN_MS = 100

let nodes: PeopleService[]
let agent: Agent
before(async () => {
  agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const first = await startWithoutIpLimits()
  nodes = [first]
  while (nodes.length < NODES) nodes.push(await startWithoutIpLimits({ DATABASE_URL: first.databaseUrl! }))
})
after(async () => {
  agent.destroy()
  for (const node of nodes) await node.close()
})
const nodeOf = (number: number): PeopleService => nodes[number % nodes.length]

/** The key of an account with credits and windows that no test uses up. */
async function owner(): Promise<string> {
  const quantd = operator(settingsOf(nodes[0]))
  const email = freshEmail()
  const { err, json } = await quantd(['admin', 'create', email, '--credits', '1000000', '--json'])
  assert.equal(err, '')
  assert.equal((await quantd(['admin', 'set-limits', email, '--hour', '100000000'])).code, 0)
  return json.api_key
}

async function act(node: PeopleService, key: string, verb: string, body: object) {
  const { body: reply, status, text } = await node.call(`/user/keys/${verb}`, { key, body })
  assert.equal(status, 200, text)
  return reply.data as { readonly id: number; readonly key: string }
}

/** A call that is answered 503 is made again, as a client does that reads Retry-After. */
async function definite(key: string, number: number): Promise<number> {
  for (let tries = 0; ; tries++) {
    const status = await post(agent, nodeOf(number + tries).url, key)
    if (status !== 503) return status
    await sleep(AGAIN_MS)
  }
}

describe(`a team key on ${NODES} node${NODES === 1 ? '' : 's'}`, () => {
  afterEach(async () => {
    const { faults, lineageFaults } = await nodes[0].store.run(checkLedger, null)
    assert.deepEqual([faults, lineageFaults], [[], []])
  })

  it('has exactly as many successes as its cap among 1,000 parallel calls and 20 rotations', async () => {
    const [cap, calls, rotations] = [100, 1_000, 20]
    const own = await owner()
    const { id, key } = await act(nodes[0], own, 'create', { name: 'n', credit_cap: cap })
    const held = [key]
    const rotate = async () => {
      for (let n = 0; n < rotations; n++)
        held.push((await act(nodeOf(n), own, 'rotate', { id, overlap_seconds: 3_600 })).key)
    }
    let sent = 0
    const client = async () => {
      const statuses: number[] = []
      // The last calls are made with the keys of the last rotations.
      while (sent < calls || held.length <= rotations) {
        sent += 1
        statuses.push(await definite(held[sent % held.length], sent))
      }
      return statuses
    }
    const [, ...answers] = await Promise.all([rotate(), ...Array.from({ length: CONNECTIONS }, client)])
    const statuses = answers.flat() as number[]
    assert.deepEqual(new Set(statuses), new Set([200, 402]))
    assert.equal(statuses.filter((status) => status === 200).length, cap)
  })

  it('is accepted by no node after the reply that it was revoked or replaced', async () => {
    const callsPerKey = 100
    const own = await owner()
    let accepted = 0
    for (let n = 0; n < 8; n++) {
      const { id, key } = await act(nodeOf(n), own, 'create', { name: `n ${n}` })
      let [hasEnded, tries, successes] = [false, 0, 0]
      const client = async (number: number) => {
        for (let call = number; tries < callsPerKey; call++) {
          const isTry = hasEnded
          tries += isTry ? 1 : 0
          const status = await post(agent, nodeOf(call).url, key)
          if (isTry) accepted += status === 401 || status === 503 ? 0 : 1
          else successes += status === 200 ? 1 : 0
        }
      }
      const clients = Promise.all(Array.from({ length: 12 }, (_, number) => client(number)))
      await until(() => successes >= 12, 'the key was accepted')
      await act(nodeOf(n), own, n % 2 === 0 ? 'revoke' : 'rotate', { id })
      hasEnded = true
      await clients
    }
    assert.equal(accepted, 0)
  })

  // This is the last test because it moves the clock.
  it('spends a daily cap once a day, also while calls run across midnight', async () => {
    const cap = 40
    const daily = { name: 'n', credit_cap: cap, cap_period: 'day' }
    const { id, key } = await act(nodes[0], await owner(), 'create', daily)
    for (const node of nodes) node.newDay()
    let [isOver, paid, refused] = [false, 0, 0]
    const client = async (number: number) => {
      for (let n = number; !isOver; n++) {
        const status = await definite(key, n)
        if (status === 200) paid += 1
        else refused += 1
        assert.ok([200, 402].includes(status))
      }
    }
    const clients = Promise.all(Array.from({ length: 30 }, (_, number) => client(number)))
    await until(() => paid >= cap && refused > 0, 'the cap of the first day is spent')
    for (const node of nodes) node.newDay()
    await until(() => paid >= 2 * cap, 'the cap of the second day is spent')
    await sleep(AGAIN_MS)
    isOver = true
    await clients
    const days = await query(
      nodes[0],
      `SELECT a.at / ${DAY_MS} AS day, sum(a.credits) AS spent
       FROM audit a JOIN api_keys k ON k.id = a.key_id AND k.account_id = a.account_id
       WHERE k.team_key_id = ${id} AND a.credits > 0 GROUP BY a.at / ${DAY_MS} ORDER BY 1`,
    )
    assert.deepEqual(
      days.map(({ spent }) => Number(spent)),
      [cap, cap],
    )
  })
})
