/**
 * What of a table was set aside, because it is no observation, by kind, with the button that takes the rows back; and the columns of
 * groups, with the button that fills them down.
 */
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

type LeftOutProps = TakenProps & { readonly table: Pick<Table, 'aside' | 'groups'> }

export function LeftOutRows({ table: { aside, groups }, ...given }: LeftOutProps) {
  return (
    <>
      <Observations {...given} aside={aside} />
      <FillDown {...given} groups={groups} />
    </>
  )
}

/** The columns whose values stand only in the first row of a group. */
function FillDown({ groups, taken, onTaken }: TakenProps & Pick<Table, 'groups'>) {
  if (groups.length === 0) return null
  const keys = groups.map(({ key }) => key)
  const isTaken = groups.every((one) => one.isTaken)
  const names = groups.map(({ name }) => name).join(', ')
  const count = groups.reduce((sum, one) => sum + one.count, 0)
  const others = taken.filter((key) => !keys.includes(key))
  return (
    <div class="aside" role="group" aria-label="Columns of groups">
      <p>
        {isTaken
          ? `${names}: ${plural(count, 'cell')} filled down from the first row of each group.`
          : `${names}: ${plural(count, 'empty cell')} below the first row of each group${groups[0].isMerged ? ', merged in the file' : ''}.`}{' '}
        <button
          type="button"
          class="small quiet"
          onClick={() => onTaken(isTaken ? others : [...others, ...keys])}
        >
          {isTaken ? 'Leave them empty' : 'Fill down'}
        </button>
      </p>
    </div>
  )
}

function Observations({ aside, ...given }: TakenProps & Pick<Table, 'aside'>) {
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
