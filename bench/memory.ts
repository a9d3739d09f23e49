/** Memory of the service: idle, and under more parallel bodies of 16 MiB than it accepts. */

import { setTimeout as sleep } from 'node:timers/promises'
import { memoryMb } from '../test/support/processes.ts'
import { bodyFiles } from './body-files.ts'
import { BOTH_CORES, generate, guestKey, type Quantd, startQuantd } from './machine.ts'
import { median, type Part } from './record.ts'

const ROUNDS = 5
/** The number of rounds that also measure the bodies, which takes long. */
const BODY_ROUNDS = 3
const PARALLEL = 200
const LIMIT_BYTES = 16 * 2 ** 20
/** With this many accounts the shared budget is the limit, not the four large bodies per account. */
const ACCOUNTS = 50
const SETTLE_MS = 1_500

/**
 * The documented bound on memory: the idle service, 16 bodies of 16 MiB, one of them parsed in the worker thread (whose heap has
 * its own bound of 1,024 MB), and one read of 64 KiB for each connection that is being drained.
 */
const STATED_MB = 1_600

export async function memory(): Promise<Part> {
  const files = bodyFiles()
  const bodyFile = files.write(100_000, 10, LIMIT_BYTES)
  const idle: number[] = []
  const peak: number[] = []
  const answered: number[] = []
  const refused: number[] = []
  const other = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    const quantd = await startQuantd({ cores: BOTH_CORES })
    idle.push(await idleMb(quantd))
    if (round >= BODY_ROUNDS) {
      await quantd.stop()
      continue
    }
    const { statuses } = await generate({
      url: `${quantd.url}/quantlib/ml/preprocessing/outliers`,
      headers: { 'content-type': 'application/json' },
      keys: await guestKeys(quantd),
      bodyFile,
      connections: PARALLEL,
      seconds: 0,
      once: true,
    })
    peak.push(memoryMb(quantd.pid, 'VmHWM'))
    answered.push(statuses['200'] ?? 0)
    refused.push(statuses['503'] ?? 0)
    for (const [status, count] of Object.entries(statuses))
      other.set(status, (other.get(status) ?? 0) + count)
    await quantd.stop()
  }
  files.remove()
  const counts = [...other].map(([status, count]) => `${count} × ${status}`).join(', ')
  return {
    rounds: ROUNDS,
    conditions: `A service started anew each round, as npm start does. ${PARALLEL} connections of ${ACCOUNTS} accounts each send a body of 16 MiB at once; in all rounds together: ${counts}.`,
    rows: [
      {
        id: 'memory-idle',
        work: 'memory, idle: resident set after a start and its first call',
        against: '–',
        goal: { is: 'at most', value: 120 },
        measured: median(idle),
        unit: 'MB',
        ours: { unit: 'MB', rounds: idle },
        theirs: null,
      },
      {
        id: 'memory-peak',
        work: `memory under ${PARALLEL} parallel bodies of 16 MiB: highest resident set`,
        against: `the stated bound: ${STATED_MB} MB`,
        goal: { is: 'at most', value: STATED_MB },
        measured: Math.max(...peak),
        unit: 'MB',
        ours: { unit: 'MB', rounds: peak },
        theirs: null,
        note: `Answered 200: ${answered.join(', ')}; refused 503: ${refused.join(', ')}.`,
      },
    ],
  }
}

async function idleMb(quantd: Quantd): Promise<number> {
  await sleep(SETTLE_MS)
  return memoryMb(quantd.pid, 'VmRSS')
}

async function guestKeys({ url }: Quantd): Promise<string[]> {
  const keys: string[] = []
  while (keys.length < ACCOUNTS) keys.push(await guestKey(url))
  return keys
}
