/** Tool calls through `quantd mcp`'s bridge while the service is killed: the ledger must hold each of them once. */
import { bridge } from '../../../src/serve/mcp/bridge.ts'
import { IDEMPOTENCY_META } from '../../../src/serve/mcp/message.ts'
import { nodeProcess } from '../../support/node-process.ts'
import { operator } from '../../support/operator.ts'
import { request, TEST_MASTER_KEY } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

interface Plan {
  readonly calls: number
  readonly kills: number
}

const CREDITS = 10_000
/** Calls that are under way at the same time. */
const PARALLEL = 20
/** Messages for a call, on average, before the test gives up. */
const ATTEMPTS = 5

interface Answered {
  readonly id: number
  readonly error?: object
  readonly result?: {
    readonly isError?: boolean
    readonly structuredContent?: { readonly marginal_utility?: number; readonly code?: string }
  }
}

export async function killedAmidCalls({
  calls,
  kills,
}: Plan): Promise<{ facts: string; problems: string[] }> {
  const dataDir = temporaryFolder('mcp')
  const settings = { QUANTD_DATA_DIR: dataDir, QUANTD_MASTER_KEY: TEST_MASTER_KEY }
  const problems: string[] = []
  const node = await nodeProcess({ dataDir, settings, onUnasked: (message) => problems.push(message) })
  try {
    await node.start()
    const quantd = operator(settings)
    const created = await quantd([
      ...['admin', 'create', 'ada@example.org', '--tier', 'pro', '--credits', String(CREDITS), '--json'],
    ])
    const key: string = created.json.api_key
    const answered: Answered[] = []
    const before = await balance(node.url, key)
    const struck = strike(node, kills, () => answered.length / calls)
    await send(node.url, key, calls, answered)
    await struck

    const ids = new Set(answered.map(({ id }) => id))
    if (ids.size !== calls || answered.length !== calls)
      problems.push(`${answered.length} replies for ${calls} calls`)
    for (const { error, id, result } of answered)
      if (result?.structuredContent?.marginal_utility !== 1 / id)
        problems.push(`call ${id} got ${JSON.stringify(error ?? result)}`)
    const spent = before - (await balance(node.url, key))
    if (spent !== calls) problems.push(`${spent} credits were spent on ${calls} calls`)
    const verified = await quantd(['admin', 'verify-ledger', '--json'])
    if (verified.code !== 0) problems.push(`verify-ledger: ${verified.out}`)
    return { facts: `${answered.length} answered, ${spent} credits spent`, problems }
  } finally {
    await node.stop()
  }
}

/** Kills the service after equal parts of the calls, and starts it again. */
async function strike(
  node: Awaited<ReturnType<typeof nodeProcess>>,
  kills: number,
  progress: () => number,
): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    while (progress() < kill / (kills + 1)) await new Promise((resolve) => setTimeout(resolve, 5))
    await node.kill9()
    await node.start()
  }
}

/**
 * Each call has an idempotency key of its own. One that the bridge gave up, since a restart took longer than its patience, is
 * sent again, as the message of its error asks for.
 */
async function send(url: string, apiKey: string, calls: number, answered: Answered[]): Promise<void> {
  const waiting = Array.from({ length: calls }, (_, index) => index + 1)
  let sent = 0
  let given = 0
  let wake = (): void => undefined
  const lines = async function* () {
    while (answered.length < calls) {
      const id = sent - given < PARALLEL ? waiting.shift() : undefined
      if (id === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      else {
        sent += 1
        yield JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: callOf(id) })
      }
      if (sent > ATTEMPTS * calls) throw new Error(`${sent} messages for ${calls} calls`)
    }
  }
  const write = async (line: string): Promise<void> => {
    const reply: Answered = JSON.parse(line)
    given += 1
    if (reply.error === undefined) answered.push(reply)
    else waiting.push(reply.id)
    wake()
  }
  await bridge({ url, apiKey, lines: lines(), write })
}

const callOf = (id: number) => ({
  name: 'economics_utility_log',
  arguments: { wealth: id },
  _meta: { [IDEMPOTENCY_META]: `call-${id}` },
})

async function balance(url: string, key: string): Promise<number> {
  return (await request(`${url}/user/profile`, { key })).body.data.credits
}
