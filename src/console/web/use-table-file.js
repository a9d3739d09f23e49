/** Reads a table from a file in a worker. */

import { chosenColumns } from './data/table-values.js'
import { openTableWorker } from './data/table-worker.js'
import { useEffect, useRef, useState } from './html.js'
import { textEntry } from './table-entry.js'

/** Longer text is read in a worker, and not put into the text area. */
export const LONGEST_TEXT = 50_000

/** → `{ progress, take(file, name), stop }`; `change` gets the entry of the file. */
export function useTableFile({ spec, chosen, change }) {
  const [progress, setProgress] = useState(null)
  const reading = useRef(null)
  const ready = useRef(null)

  // Loading the modules of a worker takes as long as reading a large table.
  useEffect(() => {
    ready.current = openTableWorker()
    return () => ready.current?.close()
  }, [])

  const take = async (file, name) => {
    if (file.size <= LONGEST_TEXT) return change(textEntry(spec, await file.text()))
    const worker = ready.current ?? openTableWorker()
    ready.current = null
    reading.current = worker
    setProgress({ phase: 'Reading', share: null })
    const entry = { text: '', table: null, worker: null, file: null, chosen, error: null }
    try {
      const table = await worker.read({ file, kind: spec.kind })
      const own = { name, size: file.size }
      change({ ...entry, table, worker, file: own, chosen: chosenColumns(spec, table.names) })
    } catch (fault) {
      worker.close()
      change({ ...entry, error: `${name}: ${fault.message}` })
    }
    setProgress(null)
  }
  const stop = () => {
    reading.current.close()
    setProgress(null)
  }
  return { progress, take, stop }
}
