/** A batch of 5,000 Black–Scholes calls compared with 5,000 single calls. */
import { bodyFiles } from './body-files.ts'
import { CALL, CONNECTIONS, callFor, checkBilled } from './http.ts'
import { generateSuccesses, startQuantd } from './machine.ts'
import { type Figures, type Part, ratioRow } from './record.ts'

const CALLS = 5_000
const ROUNDS = 7
const ROUND_SECONDS = 1

export async function batches(): Promise<Part> {
  const files = bodyFiles()
  const calls = Array.from({ length: CALLS }, (_, index) => ({
    path: CALL.path,
    body: { ...JSON.parse(CALL.body), strike: 80 + (index % 400) / 10 },
  }))
  const bodyFile = files.keep(JSON.stringify({ calls }))
  const quantd = await startQuantd()
  const batch = (connections: number) =>
    generateSuccesses({
      url: `${quantd.url}/quantlib/batch`,
      headers: quantd.headers,
      bodyFile,
      connections,
      seconds: ROUND_SECONDS,
    })
  const rounds: Record<'batch' | 'batches' | 'single', number[]> = { batch: [], batches: [], single: [] }
  for (let round = -1; round < ROUNDS; round++) {
    const figures = {
      batch: CALLS * (await batch(1)).perSecond,
      batches: CALLS * (await batch(4)).perSecond,
      single: (await callFor(quantd, ROUND_SECONDS)).perSecond,
    }
    // The first round is a warm-up.
    if (round < 0) continue
    for (const name of Object.keys(rounds) as (keyof typeof rounds)[]) rounds[name].push(figures[name])
  }
  await checkBilled(quantd)
  await quantd.stop()
  files.remove()
  const figures = (name: keyof typeof rounds): Figures => ({ unit: 'calls/s', rounds: rounds[name] })
  return {
    rounds: ROUNDS,
    conditions:
      'The server with its worker thread pinned to one core, the load generator to the other; on SQLite.',
    rows: [
      ratioRow(
        {
          id: 'batch',
          work: `batch: ${CALLS} Black–Scholes calls in one request, one request at a time`,
          against: `${CALLS} single calls over ${CONNECTIONS} connections`,
          goal: null,
        },
        figures('batch'),
        figures('single'),
      ),
      ratioRow(
        {
          id: 'batch-four',
          work: `batch: ${CALLS} Black–Scholes calls in one request, four requests at a time`,
          against: `single calls over ${CONNECTIONS} connections`,
          goal: null,
        },
        figures('batches'),
        figures('single'),
      ),
    ],
  }
}
