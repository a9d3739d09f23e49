/** Black–Scholes calls as tool calls over MCP, in both protocol revisions, compared with the same calls over HTTP. */
import { processorSeconds } from '../test/support/processes.ts'
import { CALL, CONNECTIONS, callFor, checkBilled } from './http.ts'
import type { LoadResult } from './load.ts'
import { generateSuccesses, type Quantd, startQuantd } from './machine.ts'
import { type Figures, median, type Part, ratioRow } from './record.ts'

const ROUNDS = 7
const ROUND_SECONDS = 1.2
const TOOL = 'pricing_bs_price'
/** The newer revision repeats the method and the tool in headers, and describes protocol and client in every message. */
const NAMED = { 'mcp-method': 'tools/call', 'mcp-name': TOOL }
const DESCRIBED = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

export async function mcp(): Promise<Part> {
  const quantd = await startQuantd()
  const before = await quantd.spent()
  const sides: Readonly<Record<string, () => Promise<LoadResult>>> = {
    http: () => callFor(quantd, ROUND_SECONDS),
    '2025-11-25': () => callTool(quantd, '2025-11-25', {}, {}),
    '2026-07-28': () => callTool(quantd, '2026-07-28', NAMED, DESCRIBED),
  }
  const rates: Record<string, number[]> = {}
  const micros: Record<string, number[]> = {}
  let replies = 0
  for (let round = -1; round < ROUNDS; round++)
    for (const [name, call] of Object.entries(sides)) {
      const started = processorSeconds(quantd.pid)
      const { perSecond, statuses } = await call()
      replies += statuses['200'] ?? 0
      // The first round is a warm-up.
      if (round < 0) continue
      rates[name] = [...(rates[name] ?? []), perSecond]
      micros[name] = [
        ...(micros[name] ?? []),
        ((processorSeconds(quantd.pid) - started) / statuses['200']) * 1e6,
      ]
    }
  await checkBilled(quantd)
  // A failed tool call has status 200, and is not charged.
  const spent = (await quantd.spent()) - before
  if (spent < replies) throw new Error(`${replies} replies, but only ${spent} calls were charged`)
  await quantd.stop()
  const figures = (name: string): Figures => ({ unit: 'calls/s', rounds: rates[name] })
  const costs = Object.entries(micros).map(([name, rounds]) => `${name} ${median(rounds).toFixed(0)} µs`)
  const row = (revision: string) =>
    ratioRow(
      {
        id: `mcp-${revision}`,
        work: `Black–Scholes tool call over MCP ${revision}, charged and durable, ${CONNECTIONS} connections`,
        against: 'the same call over HTTP',
        goal: null,
      },
      figures(revision),
      figures('http'),
    )
  return {
    rounds: ROUNDS,
    conditions: `The server pinned to one core, the load generator to the other; on SQLite. The server's processor time for a call: ${costs.join(', ')}.`,
    rows: [row('2025-11-25'), row('2026-07-28')],
  }
}

function callTool(
  { headers, url }: Quantd,
  revision: string,
  own: Readonly<Record<string, string>>,
  _meta: object,
): Promise<LoadResult> {
  const params = { name: TOOL, arguments: JSON.parse(CALL.body), _meta }
  return generateSuccesses({
    url: `${url}/mcp`,
    headers: {
      ...headers,
      ...own,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    connections: CONNECTIONS,
    seconds: ROUND_SECONDS,
  })
}
