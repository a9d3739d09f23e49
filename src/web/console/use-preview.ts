/** Computes the preview: at once in the page, or in a worker if the table is large or the computation takes long. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Form } from '../../derive/forms.ts'
import type { FieldValue, TableRequest, TableWorker } from './data/shapes.ts'
import { openTableWorker } from './data/table-worker.ts'
import { type Fault, faultIn } from './fault-words.ts'
import { labelOf } from './labels.ts'
import type { Shown, Values } from './operation.ts'
import type { Asked } from './use-answer.ts'

export interface PreviewState {
  readonly shown: Shown | null
  readonly fault: Fault | null
  /** The faults that each field has by itself. */
  readonly entryFaults: readonly Fault[]
  readonly isWaiting: boolean
  /** Whether `shown` belongs to an earlier input. */
  readonly isStale: boolean
}

/** The input of one preview. */
interface Input {
  readonly values: Values
  readonly request: TableRequest
}

interface Worked {
  worker: TableWorker | null
  /** The fields that the worker has. */
  held: Readonly<Record<string, FieldValue>> | null
  isBusy: boolean
  next: Input | null
  done: Input | null
}

interface PreviewInput extends Asked {
  /** Whether the table is in a worker. */
  readonly isLarge: boolean
  /** Whether no worker computes, so that the service may have the processor. */
  readonly isPaused: boolean
}

const NOTHING: PreviewState = { shown: null, fault: null, entryFaults: [], isWaiting: false, isStale: false }

export function usePreview(input: PreviewInput): PreviewState {
  const { form, operation, spec, values, request, isLarge, isPaused } = input
  const isAside = operation.preview !== undefined && spec !== null && (isLarge || operation.isLong === true)
  const entryFaults = useMemo(() => (operation.preview === undefined ? [] : faultsOf(form, values)), [values])
  const [missing = null] = entryFaults
  const isReady = operation.preview !== undefined && missing === null && request.fields !== null
  const here = useMemo((): PreviewState => {
    if (isAside || !isReady || operation.preview === undefined) return NOTHING
    try {
      const all = { ...values, ...request.fields }
      const data = operation.preview(all) as Values
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
      return { ...NOTHING, fault: faultIn(error) }
    }
  }, [values, request, isAside, isReady])
  const there = useWorkerPreview({ form, values, request, isWanted: isAside && isReady, isPaused })
  const state =
    missing !== null ? { ...NOTHING, fault: missing, entryFaults } : isAside && isReady ? there : here
  return useKept(state, request)
}

/** The state; beside a fault of the entries, that of the same table before the fault. */
function useKept(state: PreviewState, request: TableRequest): PreviewState {
  const kept = useRef<{ readonly shown: Shown; readonly request: TableRequest } | null>(null)
  const { shown, fault, isStale } = state
  if (shown !== null && fault === null && !isStale) kept.current = { shown, request }
  if (fault === null || kept.current?.request !== request) return state
  return { ...state, shown: kept.current.shown, isStale: true }
}

/** The fields of the form that lack their value, or have one of another type. */
function faultsOf(form: Form, values: Values): Fault[] {
  // Lists of a table are typed arrays.
  const isUnlisted = (list: unknown) => Array.isArray(list) && list.some((item) => typeof item === 'string')
  return form.fields.flatMap(({ name, required, kind, type }) => {
    const value = values[name]
    const label = labelOf(name)
    if (required && name in values && value === undefined) return [{ label, text: `${label} is required.` }]
    if (kind === 'number' && typeof value === 'string')
      return [{ label, text: `${label} must be a ${type === 'integer' ? 'whole number' : 'number'}.` }]
    return kind === 'vector' && isUnlisted(value)
      ? [{ label, text: `${label} must be a list of numbers.` }]
      : []
  })
}

/** Computes one preview at a time in a worker; after each one, it continues with the latest input. */
interface WorkerInput extends Input {
  readonly form: Form
  readonly isWanted: boolean
  readonly isPaused: boolean
}

function useWorkerPreview({ form, values, request, isWanted, isPaused }: WorkerInput): PreviewState {
  const [state, setState] = useState<PreviewState & { readonly of: Input | null }>({ ...NOTHING, of: null })
  const own = useRef<Worked>({ worker: null, held: null, isBusy: false, next: null, done: null })
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

  async function run(current: Worked): Promise<void> {
    current.worker ??= openTableWorker()
    current.isBusy = true
    const { worker } = current
    while (current.next !== null) {
      const next: Input = current.next
      current.next = null
      setState((before) => (before.isWaiting ? before : { ...before, isWaiting: true }))
      const outcome = await computed(worker, current, next)
      if (current.worker !== worker) return
      current.done = next
      setState({ ...NOTHING, ...outcome, of: next, isWaiting: current.next !== null })
    }
    current.isBusy = false
  }

  /** The worker keeps the fields of the table, so they are sent only when they have changed. */
  async function computed(
    worker: TableWorker,
    current: Worked,
    { values, request: { fields, shown: table } }: Input,
  ): Promise<Pick<PreviewState, 'shown' | 'fault'>> {
    const sent = current.held === fields ? {} : { fields }
    current.held = fields
    try {
      const { result, model } = await worker.preview({ operation: form.id, others: values, ...sent })
      return { shown: { values, data: result as Values, model, table }, fault: null }
    } catch (error) {
      return { shown: null, fault: { text: (error as Error).message, label: null } }
    }
  }
  const isStale = state.shown !== null && (state.of?.values !== values || state.of.request !== request)
  return { ...state, fault: state.of?.values === values ? state.fault : null, isStale }
}

function stop(current: Worked): void {
  current.worker?.close()
  Object.assign(current, { worker: null, held: null, isBusy: false })
}
