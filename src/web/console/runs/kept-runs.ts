/** Keeps runs in the database of the browser, for each account apart. A page loads this script when it needs it. */
import type { TableSource } from '../carried.ts'
import type { Quantity, Values } from '../operation.ts'

/** A run with its inputs, its answer and its receipt. */
export interface Run {
  /** The id of its request. */
  readonly id: string
  readonly owner: string
  readonly name: string
  /** The path of the operation. */
  readonly path: string
  /** When it was answered (ISO 8601), to the second. */
  readonly at: string
  /** When it was kept, in milliseconds since 1970. */
  readonly keptAt: number
  readonly credits: number
  /** The values of the fields that are not in the table. */
  readonly given: Values
  readonly source: TableSource | null
  readonly numbers: readonly Quantity[]
  /** The reply as JSON. */
  readonly reply: Blob
  /** null: it could not be read when the run was kept. */
  readonly receipt: unknown
}

/** The most bytes of all runs in a browser. */
export const MOST_BYTES = 50e6

/** Refuses a run that would exceed the limit; the message says by how much. */
export class Full extends Error {
  readonly bytes: number
  readonly used: number
  constructor(bytes: number, used: number) {
    super('full')
    this.bytes = bytes
    this.used = used
  }
}

export const bytesOf = ({ source, reply }: Run): number =>
  reply.size + (source?.text.length ?? 0) + (source?.file?.size ?? 0) + (source?.beside?.size ?? 0) + 2_000

/** The runs of an owner, the last kept first. */
export const runsOf = async (owner: string): Promise<Run[]> =>
  (await all()).filter((run) => run.owner === owner).sort((a, b) => b.keptAt - a.keptAt)

/** The bytes of the runs of all owners. */
export const bytesUsed = async (): Promise<number> =>
  (await all()).reduce((sum, run) => sum + bytesOf(run), 0)

/** Rejects with Full, or with the error of a browser that forbids storage. */
export async function keepRun(run: Run): Promise<void> {
  const others = (await all()).filter(({ id }) => id !== run.id)
  const used = others.reduce((sum, one) => sum + bytesOf(one), 0)
  if (used + bytesOf(run) > MOST_BYTES) throw new Full(bytesOf(run), used)
  await change((runs) => runs.put(run))
}

export const removeRuns = (ids: readonly string[]): Promise<void> =>
  change((runs) => {
    for (const id of ids) runs.delete(id)
  })

/** Gives the runs of a guest to the account that the guest has become. */
export async function moveRuns(from: string, to: string): Promise<void> {
  const moved = await runsOf(from)
  await change((runs) => {
    for (const run of moved) runs.put({ ...run, owner: to })
  })
}

const STORE = 'runs'

const all = async (): Promise<Run[]> => {
  const database = await opened()
  const runs = await settled<Run[]>(database.transaction(STORE).objectStore(STORE).getAll())
  database.close()
  return runs
}

/** Waits until the change is stored. */
async function change(act: (runs: IDBObjectStore) => void): Promise<void> {
  const database = await opened()
  const transaction = database.transaction(STORE, 'readwrite')
  act(transaction.objectStore(STORE))
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  }).finally(() => database.close())
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open('quantd', 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
  return settled(request)
}

const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
