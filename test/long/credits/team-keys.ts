/** Team keys on several nodes: caps under rotations and across midnight, and keys that have ended. */
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkLedger } from '../../../src/operator/ledger-check.ts'
import { query } from '../../support/database.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { freshEmail, type PeopleService, startWithoutIpLimits } from '../../support/people.ts'
import { until } from '../../support/until.ts'
import { post } from './post.ts'

const DAY_MS = 86_400_000
const CONNECTIONS = 200
const AGAIN_MS = 100
const CREDITS = 1_000_000

interface Nodes {
  readonly all: readonly PeopleService[]
  readonly agent: Agent
  close(): Promise<void>
}

async function startNodes(count: number): Promise<Nodes> {
  const first = await startWithoutIpLimits()
  const all = [first]
  for (let i = 1; i < count; i++) all.push(await startWithoutIpLimits({ DATABASE_URL: first.databaseUrl! }))
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const close = async () => {
    agent.destroy()
    for (const node of all) await node.close()
  }
  return { all, agent, close }
}

/** The key of an account with credits and windows that no test uses up. */
async function owner({ all: [first] }: Nodes): Promise<string> {
  const quantd = operator(settingsOf(first))
  const email = freshEmail()
  const { err, json } = await quantd(['admin', 'create', email, '--credits', String(CREDITS), '--json'])
  assert.equal(err, '')
  assert.equal((await quantd(['admin', 'set-limits', email, '--hour', '100000000'])).code, 0)
  return json.api_key
}

async function act(node: PeopleService, key: string, verb: string, body: object) {
  const { body: reply, status, text } = await node.call(`/user/keys/${verb}`, { key, body })
  assert.equal(status, 200, text)
  return reply.data as { readonly id: number; readonly key: string; readonly spent: number }
}

/** A call that is answered 503 is made again, as a client does that reads Retry-After. */
async function definite({ agent, all }: Nodes, key: string, number: number): Promise<number> {
  for (let tries = 0; ; tries++) {
    const status = await post(agent, all[(number + tries) % all.length].url, key)
    if (status !== 503) return status
    await sleep(AGAIN_MS)
  }
}

async function assertExact({ all: [first] }: Nodes): Promise<void> {
  const { faults, lineageFaults } = await first.store.run(checkLedger, null)
  assert.deepEqual([faults, lineageFaults], [[], []])
}

/** The replies of 200 to parallel calls with the keys of one lineage, which is rotated meanwhile, each with an overlap. */
export async function callsWithinCap(options: {
  readonly nodes: number
  readonly cap: number
  readonly calls: number
  readonly rotations: number
}): Promise<number> {
  const nodes = await startNodes(options.nodes)
  try {
    const own = await owner(nodes)
    const { id, key } = await act(nodes.all[0], own, 'create', { name: 'n', credit_cap: options.cap })
    const held = [key]
    const rotate = async () => {
      for (let n = 0; n < options.rotations; n++) {
        const rotated = await act(nodes.all[n % nodes.all.length], own, 'rotate', {
          ...{ id, overlap_seconds: 3_600 },
        })
        held.push(rotated.key)
      }
    }
    let sent = 0
    const client = async () => {
      const statuses: number[] = []
      // The last calls are made with the keys of the last rotations.
      while (sent < options.calls || held.length <= options.rotations) {
        sent += 1
        statuses.push(await definite(nodes, held[sent % held.length], sent))
      }
      return statuses
    }
    const [, ...answers] = await Promise.all([rotate(), ...Array.from({ length: CONNECTIONS }, client)])
    const statuses = answers.flat() as number[]
    assert.ok(
      statuses.every((status) => status === 200 || status === 402),
      String([...new Set(statuses)]),
    )
    await assertExact(nodes)
    return statuses.filter((status) => status === 200).length
  } finally {
    await nodes.close()
  }
}

/** The credits that a key with a daily cap spent on each of two days, by calls that run across midnight. */
export async function spentAcrossMidnight(options: {
  readonly nodes: number
  readonly cap: number
}): Promise<number[]> {
  const nodes = await startNodes(options.nodes)
  const [first] = nodes.all
  try {
    const own = await owner(nodes)
    const { id, key } = await act(first, own, 'create', {
      ...{ name: 'n', credit_cap: options.cap, cap_period: 'day' },
    })
    const beforeMidnight = DAY_MS - (Date.now() % DAY_MS) - MIDNIGHT_IN_MS
    for (const node of nodes.all) node.advance(beforeMidnight)
    let over = false
    const client = async (number: number) => {
      for (let n = number; !over; n++) assert.ok([200, 402].includes(await definite(nodes, key, n)))
    }
    const clients = Promise.all(Array.from({ length: 30 }, (_, number) => client(number)))
    await sleep(3 * MIDNIGHT_IN_MS)
    over = true
    await clients
    await assertExact(nodes)
    const days = await query(
      first,
      `SELECT a.at / ${DAY_MS} AS day, sum(a.credits) AS spent
       FROM audit a JOIN api_keys k ON k.id = a.key_id AND k.account_id = a.account_id
       WHERE k.team_key_id = ${id} AND a.credits > 0 GROUP BY a.at / ${DAY_MS} ORDER BY 1`,
    )
    return days.map(({ spent }) => Number(spent))
  } finally {
    await nodes.close()
  }
}

const MIDNIGHT_IN_MS = 1_500

/** Calls with keys that were revoked or replaced, each sent after the reply that says so, and how many of them were accepted. */
export async function callsAfterTheEnd(options: {
  readonly nodes: number
  readonly keys: number
  readonly callsPerKey: number
}): Promise<{ tries: number; accepted: number; before: number }> {
  const nodes = await startNodes(options.nodes)
  const [sum, owners] = [{ tries: 0, accepted: 0, before: 0 }, [] as string[]]
  try {
    for (let n = 0; n < options.keys; n++) {
      // An account may make 120 requests a minute to its endpoints.
      if (n % KEYS_PER_OWNER === 0) owners.push(await owner(nodes))
      const own = owners.at(-1)!
      const node = nodes.all[n % nodes.all.length]
      const { id, key } = await act(node, own, 'create', { name: 'n' })
      let hasEnded = false
      let tries = 0
      let before = 0
      const client = async (number: number) => {
        for (let call = number; tries < options.callsPerKey; call++) {
          const isTry = hasEnded
          tries += isTry ? 1 : 0
          const status = await post(nodes.agent, nodes.all[call % nodes.all.length].url, key)
          if (isTry) sum.accepted += status === 401 || status === 503 ? 0 : 1
          else before += status === 200 ? 1 : 0
        }
      }
      const clients = Promise.all(Array.from({ length: 12 }, (_, number) => client(number)))
      await until(() => before >= 12, 'the key was accepted')
      await act(node, own, n % 2 === 0 ? 'revoke' : 'rotate', { id })
      hasEnded = true
      await clients
      sum.tries += tries
      sum.before += before
    }
    await assertExact(nodes)
    return sum
  } finally {
    await nodes.close()
  }
}

const KEYS_PER_OWNER = 40
