/** Reads a table from a file in a worker. */
import { openTableWorker } from './data/table-worker.js'
import { useEffect, useRef, useState } from './html.js'
import { mappingFor, NO_TABLE, readingOf } from './table-entry.js'

/** Longer text is not put into the text area. */
export const LONGEST_TEXT = 50_000
/** Tables with more cells stay in their worker, which sends them. */
const SMALL = 20_000

/**
 * → `{ progress, take(file, given), stop }`; `change` gets the entry of the file, which after a fault is that of no table.
 * Another file, and another entry `given` meanwhile, end the reading.
 */
export function useTableFile({ spec, given, change }) {
  const [progress, setProgress] = useState(null)
  const reading = useRef(null)
  const ready = useRef(null)

  // Loading the modules of a worker takes as long as reading a large table.
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

  /** `given`: `types` and `sheet` that the person chose, the entry `before`, of the same file, and a second file `beside` it. */
  const take = async (file, { types = {}, sheet = null, before = null, beside = null } = {}) => {
    stop()
    const worker = ready.current ?? openTableWorker()
    ready.current = null
    reading.current = worker
    setProgress({ phase: 'Reading', share: null })
    try {
      const files = [file, beside].filter((one) => one !== null)
      const table = await worker.read({ files, types, sheet, ...readingOf(spec) })
      reading.current = null
      const isSmall = table.rows * table.columns.length <= SMALL
      if (isSmall) ready.current = worker
      const mapping = mappingFor(spec, table, before)
      change({ ...NO_TABLE, file, beside, table, types, mapping, worker: isSmall ? null : worker })
    } catch (fault) {
      stop()
      change({ ...NO_TABLE, error: `${(beside ?? file).name} was not taken. ${fault.message}` })
    }
    setProgress(null)
  }
  return { progress, take, stop }
}
