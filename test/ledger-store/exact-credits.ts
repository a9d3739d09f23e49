/** Makes many calls at once on a balance of one, and counts the replies by status. */
import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { startTestService, type TestService } from '../service.ts'
import { booksOf, ledgerAccount, sqlOf } from './ledger-accounts.ts'

const PATH = '/quantlib/economics/utility/log'
const CALLS = 1_000
const CONNECTIONS = 200

/** Returns the number of replies by status for each round. Every round has a new account with one credit. */
export async function exactCredits(options: {
  nodes: number
  rounds: number
}): Promise<Record<number, number>[]> {
  const first = await startTestService()
  const sql = sqlOf(first)
  const nodes: TestService[] = [first]
  for (let i = 1; i < options.nodes; i++)
    nodes.push(await startTestService({ DATABASE_URL: first.databaseUrl! }))
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const tallies: Record<number, number>[] = []
  try {
    for (let round = 0; round < options.rounds; round++) {
      const account = await ledgerAccount(first, sql, { credits: 1, hourLimit: 1_000_000 })
      const statuses = await Promise.all(
        Array.from({ length: CALLS }, (_, i) => post(agent, nodes[i % nodes.length]!.url, account.key)),
      )
      const tally: Record<number, number> = {}
      for (const status of statuses) tally[status] = (tally[status] ?? 0) + 1
      tallies.push(tally)
      const books = await booksOf(sql, account.id)
      assert.deepEqual(books, { balance: 0, hour: 1, given: 1, debited: 1, auditRows: 1 })
    }
  } finally {
    agent.destroy()
    await sql.close()
    for (const node of nodes) await node.close()
  }
  return tallies
}

const post = (agent: Agent, url: string, key: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    httpRequest(url + PATH, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!))
    })
      .once('error', reject)
      .end('{"wealth":2}')
  })
