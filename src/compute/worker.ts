/** A worker thread of the pool: reads and runs the bodies that are sent to it. */
import { once } from 'node:events'
import { constants, getPriority, setPriority } from 'node:os'
import type { MessagePort } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { Failure } from '../errors.ts'
import { type Extent, type FailureFacts, factsOf, type Result } from './computation.ts'
import { type Costs, computations } from './computations.ts'
import { type EnvelopedResult, envelope } from './envelope.ts'

export interface WorkerTask {
  readonly path: string
  readonly bytes: Uint8Array
  /** Asked, once the body is read, whether its extent is admitted. */
  readonly admission: MessagePort | null
}

/** null: not admitted, or an empty task. */
export type WorkerOutcome = EnvelopedResult | FailureFacts | null

/** The event loop's thread goes first where cores are short; otherwise a worker has a core of its own. */
const NICER_BY = 10
// On Linux a priority belongs to the calling thread; elsewhere it would be that of the whole process.
if (process.platform === 'linux')
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICER_BY))

const all = computations((workerData as Costs | null) ?? {})
const [HEAD = '', TAIL = ''] = envelope('|').split('|')

export default async function runTask({ admission, bytes, path }: WorkerTask): Promise<WorkerOutcome> {
  const job = all.get(path)?.read(bytes) ?? null
  if (job === null) return null
  if (job instanceof Failure) return factsOf(job)
  if (admission !== null && !(await isAdmitted(admission, job.extent))) return null
  const result = job.run()
  return result instanceof Failure ? factsOf(result) : moved(result)
}

async function isAdmitted(admission: MessagePort, extent: Extent): Promise<boolean> {
  admission.postMessage(extent)
  const [answer] = (await once(admission, 'message')) as [boolean]
  return answer
}

/** The result as bytes in the form in which the pool moves them to the other thread instead of copying. */
function moved({ credits, parts, pieces }: Result): EnvelopedResult {
  const body = encoded([HEAD, ...pieces, TAIL])
  const value: EnvelopedResult = { body, credits, parts }
  return move({ [transferableSymbol]: body.buffer, [valueSymbol]: value } as never) as never
}

/** In a buffer of its own, so that it can be moved. */
function encoded(pieces: readonly string[]): Buffer<ArrayBuffer> {
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const piece of pieces) at += bytes.write(piece, at)
  return bytes
}
