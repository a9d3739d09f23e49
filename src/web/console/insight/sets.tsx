/** Two sets of inputs side by side, with their prices and Greeks. Saved sets stay in this browser. */
import { useMemo, useState } from 'preact/hooks'
import type { Form } from '../../../derive/forms.ts'
import { SmallButton } from '../buttons.tsx'
import { inUnit, labelWithUnit } from '../greek-units.ts'
import { labelOf, wordFor } from '../labels.ts'
import { isRecord, readValues } from '../link.ts'
import { short } from '../numbers.ts'
import { type PageOfOperation, type Values, withDefaults } from '../operation.ts'

const STORED = 'quantd-sets'
const NAMES = ['A', 'B'] as const

/** The values of the sets that are saved. */
type Saved = { readonly [Name in (typeof NAMES)[number]]?: Values }

interface SetsProps {
  /** The names of the numbers. */
  readonly names: readonly string[]
  /** The numbers of a set, or null if the model refuses it. */
  numbersOf(values: Values): Values | null
  readonly page: PageOfOperation
}

export function Sets({ names, numbersOf, page }: SetsProps) {
  const { form, sent, restore } = page
  const [sets, setSets] = useState(() => storedSets(form))
  const keep = (next: Saved) => {
    setSets(next)
    store(form, next)
  }
  const isAny = NAMES.some((name) => sets[name] !== undefined)
  return (
    <section class="chart sets" aria-label="Two sets of inputs">
      <div class="heading">
        <h3>Compare two sets of inputs</h3>
        <span class="tools">
          {NAMES.map((name) => {
            const saved = sets[name]
            return (
              <>
                <SmallButton onClick={() => keep({ ...sets, [name]: sent })}>Save as {name}</SmallButton>
                {saved !== undefined && <SmallButton onClick={() => restore(saved)}>Use {name}</SmallButton>}
              </>
            )
          })}
          {isAny && <SmallButton onClick={() => keep({})}>Clear</SmallButton>}
        </span>
      </div>
      {isAny ? (
        <Table form={form} names={names} numbersOf={numbersOf} sent={sent} sets={sets} />
      ) : (
        <p class="hint">
          Save the present inputs as A, change them, and save others as B: their prices and Greeks are
          compared here. They stay in this browser.
        </p>
      )}
    </section>
  )
}

interface TableProps extends Omit<SetsProps, 'page'>, Pick<PageOfOperation, 'form' | 'sent'> {
  readonly sets: Saved
}

/** In place of a set that is not saved, the table shows the present inputs. */
function Table({ form, names, numbersOf, sent, sets }: TableProps) {
  const [a, b] = NAMES.map((name) => useSet(form, sets[name] ?? sent, numbersOf))
  const heading = (name: (typeof NAMES)[number]) =>
    sets[name] === undefined ? `${name} (present inputs)` : name
  const inputs = form.fields.map(({ name }) => row(labelOf(name), a.values[name], b.values[name]))
  const outputs = names.map((name) =>
    row(labelWithUnit(name), inUnit(name, a.numbers?.[name]), inUnit(name, b.numbers?.[name])),
  )
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="Comparison of two sets">
      <table>
        <thead>
          <tr>
            <th scope="col">Input or number</th>
            {NAMES.map((name) => (
              <th scope="col" class="count">
                {heading(name)}
              </th>
            ))}
            <th scope="col" class="count">
              B − A
            </th>
          </tr>
        </thead>
        <tbody>
          {[...inputs, ...outputs].map(({ label, texts, isOther }) => (
            <tr class={isOther ? 'other' : undefined}>
              <th scope="row">{label}</th>
              {texts.map((text) => (
                <td class="count">{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function useSet(form: Form, set: Values, numbersOf: SetsProps['numbersOf']) {
  return useMemo(() => {
    const values = withDefaults(form.fields, set)
    return { values, numbers: numbersOf(values) }
  }, [set])
}

const row = (label: string, a: unknown, b: unknown) => ({
  label,
  isOther: a !== b,
  texts: [textOf(a), textOf(b), differenceOf(a, b)],
})

const textOf = (value: unknown): string =>
  typeof value === 'number' ? short(value) : value === undefined || value === null ? '–' : wordFor(value)

/** The difference of two values, without the digits of rounding errors. */
function differenceOf(a: unknown, b: unknown): string {
  if (typeof a !== 'number' || typeof b !== 'number') return a === b ? 'same' : 'other'
  const found = Number((b - a).toPrecision(10))
  return `${found > 0 ? '+' : ''}${short(found)}`
}

/** What the browser has stored of all operations, by their names. */
function all(): Values {
  try {
    return recordOf(JSON.parse(localStorage.getItem(STORED) ?? '{}'))
  } catch {
    return {}
  }
}

/** The sets that the browser has stored, checked like the inputs of a link. */
function storedSets(form: Form): Saved {
  const kept = recordOf(all()[form.id])
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const set = kept[name]
      return isRecord(set) ? [[name, readValues(form, set).values]] : []
    }),
  )
}

const recordOf = (value: unknown): Values => (isRecord(value) ? value : {})

function store(form: Form, sets: Saved): void {
  try {
    localStorage.setItem(STORED, JSON.stringify({ ...all(), [form.id]: sets }))
  } catch {
    // The browser forbids storage: the sets stay until the page is left.
  }
}
