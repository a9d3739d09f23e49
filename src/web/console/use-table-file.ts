/** Reads the table of a file in a worker. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { takeSource } from './carried.ts'
import { carriedMapping } from './data/carried-mapping.ts'
import {
  NO_TABLE,
  type TableEntry,
  type TableSpec,
  type TableWorker,
  type TaskProgress,
} from './data/shapes.ts'
import { openTableWorker } from './data/table-worker.ts'
import { confirmed, mappingFor, readingOf } from './table-entry.ts'

/** The longest text that is put into the text area. */
export const LONGEST_TEXT = 50_000
/** The most cells of a table that the page sends itself; larger ones stay in their worker, which sends them. */
const SMALL = 20_000

interface FileInput {
  readonly spec: TableSpec
  /** The present entry. */
  readonly given: TableEntry
  /** Gets the entry of the file, or after a fault one without a table. */
  change(entry: TableEntry): void
}

/** What the person chose for a file. */
interface Taken extends Partial<Pick<TableEntry, 'types' | 'taken' | 'beside'>> {
  readonly sheet?: string | null
  readonly isConfirmed?: boolean
  /** The earlier entry of the same file. */
  readonly before?: TableEntry | null
  /** What another page knew of the file. */
  readonly carried?: ReturnType<typeof takeSource>
}

/** Another file, or another entry `given`, stops the reading. */
export function useTableFile({ spec, given, change }: FileInput) {
  const [progress, setProgress] = useState<TaskProgress | null>(null)
  const reading = useRef<TableWorker | null>(null)
  const ready = useRef<TableWorker | null>(null)

  // The worker is opened before it is needed, because loading its modules takes as long as reading a large table.
  useEffect(() => {
    ready.current = openTableWorker()
    return () => ready.current?.close()
  }, [])
  const stop = () => {
    reading.current?.close()
    reading.current = null
    setProgress(null)
  }
  useEffect(() => stop, [given])

  const take = async (file: File, chosen: Taken = {}): Promise<void> => {
    const { types = {}, taken = [], sheet = null, before = null, beside = null } = chosen
    const { carried, isConfirmed } = chosen
    stop()
    const worker = ready.current ?? openTableWorker()
    ready.current = null
    reading.current = worker
    setProgress({ phase: 'Reading', share: null })
    try {
      const files = [file, beside].filter((one) => one !== null)
      const table = await worker.read({ files, types, taken, sheet, ...readingOf(spec) })
      reading.current = null
      const isSmall = table.rows * table.columns.length <= SMALL
      if (isSmall) ready.current = worker
      const guess = mappingFor(spec, table, before)
      const { source = null, fields = null } = carried ?? {}
      const mapping = source === null ? guess : carriedMapping(spec, table, guess, { source, fields })
      const entry = { ...NO_TABLE, file, beside, table, types, taken, mapping }
      change(confirmed({ ...entry, worker: isSmall ? null : worker }, isConfirmed))
    } catch (fault) {
      stop()
      change({ ...NO_TABLE, error: `${(beside ?? file).name} was not taken. ${(fault as Error).message}` })
    }
    setProgress(null)
  }
  return { progress, take, stop }
}
