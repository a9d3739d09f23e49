/** The rows of a table that were set aside, because they are no observations, and the buttons that take them back. */
import type { AsideGroup, AsideKey, AsideKind, Table } from './data/table.ts'
import { clipped } from './labels.ts'
import { plural } from './numbers.ts'

const NOUNS: Readonly<Record<AsideKind, string>> = {
  hidden: 'hidden row',
  headings: 'repeated heading',
  note: 'note',
  total: 'total',
}
/** A group of more rows is taken back as a whole, and its first rows are shown. */
const MOST_SINGLE = 5

/** The rows that were set aside, struck through, each group with the button that takes them back; then those that were. */
interface TakenProps {
  /** The keys of rows, or of all rows of a kind, that the person took back. */
  readonly taken: readonly AsideKey[]
  onTaken(taken: readonly AsideKey[]): void
}

export function LeftOutRows({ aside, taken, onTaken }: TakenProps & Pick<Table, 'aside'>) {
  if (aside.length === 0) return null
  return (
    <div class="aside" role="group" aria-label="Rows that are no observations">
      {aside.map((group) => (
        <GroupOfRows key={`${group.key} ${group.isTaken}`} group={group} taken={taken} onTaken={onTaken} />
      ))}
    </div>
  )
}

function GroupOfRows({ group, taken, onTaken }: TakenProps & { readonly group: AsideGroup }) {
  const { kind, key: whole, isTaken, count, rows } = group
  const isWhole = kind === 'hidden' || count > MOST_SINGLE
  const keys = rows.map(({ key }) => key)
  const change = (some: readonly AsideKey[]) =>
    onTaken(isTaken ? taken.filter((key) => key !== whole && !some.includes(key)) : [...taken, ...some])
  const button = (some: readonly AsideKey[], words: string) => (
    <button type="button" class="small quiet" onClick={() => change(some)}>
      {isTaken ? `Leave ${words} out` : `Take ${words} back`}
    </button>
  )
  return (
    <>
      <p>
        {isTaken ? 'Taken as observations' : 'Left out'}: {plural(count, NOUNS[kind])}.{' '}
        {isWhole && button(isTaken ? keys : [whole], count === 1 ? 'it' : 'them')}
      </p>
      <ul>
        {rows.slice(0, MOST_SINGLE).map(({ key, cells }) => {
          const text = clipped(cells.filter((cell) => cell !== '').join(' · '), 80)
          return (
            <li key={key}>
              {isTaken ? <span>{text}</span> : <s>{text}</s>} {!isWhole && button([key], 'it')}
            </li>
          )
        })}
        {count > MOST_SINGLE && <li>…</li>}
      </ul>
    </>
  )
}
