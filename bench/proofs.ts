/**
 * The cost of proofs: calls of the service, in turn with calls of a copy that neither hashes nor writes proofs; and the time that
 * a receipt takes.
 */
import { rmSync } from 'node:fs'
import { treeSeconds } from '../test/support/processes.ts'
import { CALL, CONNECTIONS, callFor } from './http.ts'
import { type Quantd, startPinnedPostgres, startQuantd } from './machine.ts'
import { withoutProofs } from './peers/without-proofs.ts'
import { median, type Part, type Row, ratioRow } from './record.ts'

/** Processes of each side, one after another: the speed differs between processes of the same code. */
const PROCESSES = 3
/** V8 compiles for the first 50,000 calls, which takes longer where there is more to compile. */
const WARM_UP_ROUNDS = 6
const ROUNDS = 8
const ROUND_SECONDS = 0.6
const RECEIPTS = 4

export async function proofs(): Promise<Part> {
  const root = withoutProofs()
  const postgres = await startPinnedPostgres()
  const rows: Row[] = []
  for (const [name, database] of [
    ['sqlite', async () => ({})],
    ['postgres', async () => ({ databaseUrl: await postgres.database() })],
  ] as const) {
    const [proven, unproven, waits]: [number[], number[], number[]] = [[], [], []]
    for (let process = 0; process < PROCESSES; process++) {
      const sides = [
        [await startQuantd(await database()), proven],
        [await startQuantd({ ...(await database()), root }), unproven],
      ] as const
      await alternate(sides)
      for (let n = 0; n < RECEIPTS; n++) waits.push(await receiptMs(sides[0][0]))
      for (const [side] of sides) await side.stop()
    }
    rows.push(row(name, proven, unproven), receiptRow(name, waits))
  }
  await postgres.stop()
  rmSync(root, { recursive: true })
  return {
    rounds: PROCESSES * ROUNDS,
    conditions:
      'Both services pinned to one core, the load generator and PostgreSQL to the other. Processor time of the service, of all its threads.',
    rows,
  }
}

async function alternate(sides: readonly (readonly [Quantd, number[]])[]): Promise<void> {
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++)
    // The sides take turns at being the first.
    for (const [side, micros] of round % 2 === 0 ? sides : sides.toReversed()) {
      const one = await microsOf(side)
      if (round >= 0) micros.push(one)
    }
}

function row(name: string, ours: readonly number[], theirs: readonly number[]): Row {
  return ratioRow(
    {
      id: `proofs-${name}`,
      work: `metered Black–Scholes call, ${CONNECTIONS} connections, ${name}: processor time of the service`,
      against: 'a copy of the service that neither hashes nor writes proofs',
      goal: { is: 'at most', value: 1.05 },
      note: `Ratio of the medians ${(median(ours) / median(theirs)).toFixed(3)}, of the least ${(Math.min(...ours) / Math.min(...theirs)).toFixed(3)}: ${Math.min(...ours).toFixed(1)} and ${Math.min(...theirs).toFixed(1)} µs.`,
    },
    { unit: 'µs', rounds: [...ours] },
    { unit: 'µs', rounds: [...theirs] },
  )
}

/** Processor time of a call, in microseconds. */
async function microsOf(side: Quantd): Promise<number> {
  const { pid } = side
  const before = treeSeconds(pid)
  const { statuses } = await callFor(side, ROUND_SECONDS)
  return ((treeSeconds(pid) - before) / statuses['200']) * 1e6
}

/** The time from the reply of a call to its receipt, which is requested at once. */
async function receiptMs({ headers, url }: Quantd): Promise<number> {
  const call = await fetch(url + CALL.path, { method: 'POST', headers, body: CALL.body })
  const repliedAt = performance.now()
  const receipt = await fetch(`${url}/user/receipt?request_id=${call.headers.get('x-request-id')}`, {
    headers,
  })
  await receipt.text()
  if (receipt.status !== 200) throw new Error(`the receipt has status ${receipt.status}`)
  return performance.now() - repliedAt
}

const receiptRow = (name: string, waits: readonly number[]): Row => ({
  id: `receipt-${name}`,
  work: `from the reply of a call to its receipt, ${name}, one after another`,
  against: 'nothing',
  goal: null,
  measured: median(waits),
  unit: 'ms',
  ours: { unit: 'ms', rounds: [...waits] },
  theirs: null,
  note: `At most ${Math.max(...waits).toFixed(0)} ms. Receipts cause one checkpoint a second.`,
})
