/** Links to the pages that take over the inputs of this one. */
import { useMemo } from 'preact/hooks'
import type { Form } from '../../derive/forms.ts'
import { carryTo } from './carried.ts'
import forms from './forms.js'
import { type Departure, type Journey, journeysFrom } from './journeys.ts'
import { addressOf, addressOfPage } from './link.ts'
import type { Operation } from './operation.ts'
import { moduleOf } from './operations/index.ts'

const MOST = 6

interface GoOnProps extends Departure {
  /** The loaded modules of operations, by name. */
  readonly operations: Readonly<Record<string, Operation>>
}

export function GoOn({ operations, ...from }: GoOnProps) {
  const { sent, data, table, isExample } = from
  const operationOf = ({ path }: Form) => operations[moduleOf(path.replace('/quantlib/', ''))]
  const journeys = useMemo(() => journeysFrom(from, forms, operationOf), [sent, data, table, isExample])
  if (journeys.length === 0) return null
  return (
    <nav class="journeys" aria-label="Other computations with these inputs">
      <span>{table.table === null ? 'Use these inputs for' : 'Use this table for'}</span>
      <ul>
        {journeys.slice(0, MOST).map((journey) => (
          <li key={journey.form.id}>
            <Go {...journey} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** A table is carried to the page; the values of fields are also in its address. */
function Go({ form, load }: Journey) {
  const address =
    load === null || Object.keys(load.given).length === 0
      ? addressOfPage(form.path)
      : addressOf(form.path, load.given)
  const go = (event: MouseEvent) => {
    if (load === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    carryTo(address, load)
  }
  return (
    <a href={address} onClick={go}>
      {form.title}
    </a>
  )
}
