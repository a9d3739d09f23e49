/** Computes the preview: at once in the page, or in the worker where the table is large. */
import { tableValues } from './data/table-values.js'
import { useEffect, useMemo, useRef, useState } from './html.js'
import { labelOf } from './labels.js'

/** → `{ shown: { values, data, model, … } | null, fault: text | null, isWaiting }`. */
export function usePreview({ form, operation, spec, values, table }) {
  const isLarge = spec !== null && table.worker !== null
  const here = useMemo(() => {
    if (operation.preview === null || isLarge) return { shown: null, fault: null }
    const missing = form.fields.find(
      ({ name, required }) => required && name in values && values[name] === undefined,
    )
    if (missing) return { shown: null, fault: `${labelOf(missing.name)} is required.` }
    const wrong = form.fields.find(({ name, kind }) => kind === 'number' && typeof values[name] === 'string')
    if (wrong) return { shown: null, fault: `${labelOf(wrong.name)} must be a number.` }
    if (spec !== null && table.table === null) return { shown: null, fault: null }
    try {
      const all = spec === null ? values : { ...values, ...tableValues(spec, table.table, table.chosen) }
      const data = operation.preview(all)
      return {
        shown: { values: all, data, model: operation.model?.(all, data), scores: data.scores },
        fault: null,
      }
    } catch (error) {
      return { shown: null, fault: inWords(error) }
    }
  }, [values, table, isLarge])
  const there = useWorkerPreview({ form, operation, spec, values, table, isLarge })
  return isLarge ? there : { ...here, isWaiting: false }
}

/** One preview at a time; the latest input follows the one that is being computed. */
function useWorkerPreview({ form, operation, spec, values, table, isLarge }) {
  const [state, setState] = useState({ shown: null, fault: null, isWaiting: false })
  const queue = useRef({ isBusy: false, next: null })
  useEffect(() => {
    if (!isLarge || operation.preview === null) return
    queue.current.next = { worker: table.worker, chosen: table.chosen, values }
    if (!queue.current.isBusy) run()
  }, [values, table, isLarge])

  async function run() {
    queue.current.isBusy = true
    while (queue.current.next !== null) {
      const { worker, chosen, values } = queue.current.next
      queue.current.next = null
      setState((before) => ({ ...before, isWaiting: true }))
      try {
        const { result, model } = await worker.preview({ operation: form.id, spec, chosen, others: values })
        setState({
          shown: { values, data: result, model, scores: result.scores },
          fault: null,
          isWaiting: false,
        })
      } catch (error) {
        setState({ shown: null, fault: error.message.replace(/^This failed: /, ''), isWaiting: false })
      }
    }
    queue.current.isBusy = false
  }
  return state
}

/** Names that the numerics give to parameters, where they are not those of the fields. */
const parameters = {
  rate: 'Risk-free rate',
  maturity: 'Time to maturity',
  dividendYield: 'Dividend yield',
  type: 'Option type',
  theta: 'Drift of the Brownian motion',
  counts: 'The table of counts',
  labels: 'The labels',
  scores: 'The scores',
  trees: 'The number of trees',
  seed: 'The random seed',
}
const nameOf = (parameter) => parameters[parameter] ?? labelOf(parameter.split('.')[0])

function inWords({ message, parameter, isSentence }) {
  const named = message.replace(/\{(\w+)\}/g, (_, name) => nameOf(name))
  return parameter === undefined || isSentence ? named : `${nameOf(parameter)} ${named}.`
}
