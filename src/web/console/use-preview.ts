/** Computes the preview: at once in the page, or in a worker if the table is large or the computation takes long. */
// @ts-nocheck: to be converted

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { openTableWorker } from './data/table-worker.ts'
import { inWords } from './fault-words.ts'
import { labelOf } from './labels.ts'

const NOTHING = { shown: null, fault: null, isWaiting: false, isStale: false }

/**
 * → `{ shown: { values, data, model, … } | null, fault: text | null, isWaiting, isStale }`; `isStale`: `shown` belongs to an
 * earlier input. While `isPaused`, no worker computes, so that the service may have the processor.
 */
export function usePreview({ form, operation, spec, values, request, isLarge, isPaused }) {
  const isAside = operation.preview !== null && spec !== null && (isLarge || operation.isLong === true)
  const missing = useMemo(() => (operation.preview === null ? null : faultOf(form, values)), [values])
  const isReady = operation.preview !== null && missing === null && request.fields !== null
  const here = useMemo(() => {
    if (isAside || !isReady) return NOTHING
    try {
      const all = { ...values, ...request.fields }
      const data = operation.preview(all)
      return {
        ...NOTHING,
        shown: {
          values: all,
          data,
          model: operation.model?.(all, data),
          table: request.shown,
        },
      }
    } catch (error) {
      return { ...NOTHING, fault: inWords(error) }
    }
  }, [values, request, isAside, isReady])
  const there = useWorkerPreview({ form, values, request, isWanted: isAside && isReady, isPaused })
  if (missing !== null) return { ...NOTHING, fault: missing }
  return isAside && isReady ? there : here
}

function faultOf(form, values) {
  const missing = form.fields.find(
    ({ name, required }) => required && name in values && values[name] === undefined,
  )
  if (missing) return `${labelOf(missing.name)} is required.`
  const wrong = form.fields.find(({ name, kind }) => kind === 'number' && typeof values[name] === 'string')
  if (wrong)
    return `${labelOf(wrong.name)} must be a ${wrong.type === 'integer' ? 'whole number' : 'number'}.`
  // Lists of a table are typed arrays.
  const isUnlisted = (list) => Array.isArray(list) && list.some((item) => typeof item === 'string')
  const unlisted = form.fields.find(({ name, kind }) => kind === 'vector' && isUnlisted(values[name]))
  return unlisted ? `${labelOf(unlisted.name)} must be a list of numbers.` : null
}

/** Computes one preview at a time in a worker; after each one, it continues with the latest input. */
function useWorkerPreview({ form, values, request, isWanted, isPaused }) {
  const [state, setState] = useState({ ...NOTHING, of: null })
  const own = useRef({ worker: null, held: null, isBusy: false, next: null, done: null })
  useEffect(() => () => stop(own.current), [])
  // In a layout effect, because the service begins to compute before the page is drawn.
  useLayoutEffect(() => {
    if (isPaused) stop(own.current)
  }, [isPaused])
  useEffect(() => {
    const { current } = own
    if (!isWanted || (current.done?.values === values && current.done.request === request)) return
    current.next = { values, request }
    if (!isPaused && !current.isBusy) run(current)
  }, [values, request, isWanted, isPaused])

  async function run(current) {
    current.worker ??= openTableWorker()
    current.isBusy = true
    const { worker } = current
    while (current.next !== null) {
      const { next } = current
      current.next = null
      setState((before) => (before.isWaiting ? before : { ...before, isWaiting: true }))
      const outcome = await computed(current, next)
      if (current.worker !== worker) return
      current.done = next
      setState({ ...outcome, of: next, isWaiting: current.next !== null })
    }
    current.isBusy = false
  }

  /** The worker keeps the fields of the table, so they are sent only when they have changed. */
  async function computed(current, { values, request: { fields, shown: table } }) {
    const sent = current.held === fields ? {} : { fields }
    current.held = fields
    try {
      const { result, model } = await current.worker.preview({ operation: form.id, others: values, ...sent })
      return { shown: { values, data: result, model, table }, fault: null }
    } catch (error) {
      return { shown: null, fault: error.message }
    }
  }
  const isStale = state.shown !== null && (state.of.values !== values || state.of.request !== request)
  return { ...state, fault: state.of?.values === values ? state.fault : null, isStale }
}

function stop(current) {
  current.worker?.close()
  Object.assign(current, { worker: null, held: null, isBusy: false })
}
