/** What of a table was set aside, because it is no observation, by kind, with the button that takes the rows back. */
import type { AsideGroup, AsideKey, AsideKind, Table } from './data/table.ts'
import { plural } from './numbers.ts'

const NOUNS: Readonly<Record<AsideKind, string>> = {
  hidden: 'hidden row',
  headings: 'repeated heading',
  note: 'note',
  total: 'total',
}
interface TakenProps {
  /** Where the rows are shown, behind `Left out`. */
  readonly where?: string
  /** The keys of rows, or of all rows of a kind, that the person took back. */
  readonly taken: readonly AsideKey[]
  onTaken(taken: readonly AsideKey[]): void
}

export function LeftOutRows({ aside, ...given }: TakenProps & Pick<Table, 'aside'>) {
  if (aside.length === 0) return null
  return (
    <div class="aside" role="group" aria-label="Rows that are no observations">
      {aside.map((group) => (
        <GroupOfRows key={`${group.key} ${group.isTaken}`} group={group} {...given} />
      ))}
    </div>
  )
}

function GroupOfRows({
  group,
  where = ', struck through below',
  taken,
  onTaken,
}: TakenProps & { readonly group: AsideGroup }) {
  const { kind, key, isTaken, count, rows } = group
  const keys = rows.map((row) => row.key)
  const words = count === 1 ? 'it' : 'them'
  const change = () =>
    onTaken(isTaken ? taken.filter((one) => one !== key && !keys.includes(one)) : [...taken, key])
  return (
    <p>
      {isTaken ? 'Taken as observations' : `Left out${where}`}: {plural(count, NOUNS[kind])}.{' '}
      <button type="button" class="small quiet" onClick={change}>
        {isTaken ? `Leave ${words} out` : `Take ${words} back`}
      </button>
    </p>
  )
}
