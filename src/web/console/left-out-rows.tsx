/**
 * What of a table was set aside, because it is no observation, by kind, with the button that takes the rows back; and the columns of
 * groups, with the button that fills them down.
 */
import type { AsideGroup, AsideKey, AsideKind, Table } from './data/table.ts'
import { plural } from './numbers.ts'
import type { TableColumn } from './virtual-table.tsx'

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

interface LeftOut {
  /** In the order of the file. */
  readonly rows: readonly AsideGroup['rows'][number][]
  /** The number of the first of them. */
  readonly first: number
}

/** Those that the person has not taken back. */
export const leftOut = ({ aside, rows: first }: Pick<Table, 'aside' | 'rows'>): LeftOut => ({
  rows: aside
    .filter(({ isTaken }) => !isTaken)
    .flatMap(({ rows }) => rows)
    .sort((a, b) => a.number - b.number),
  first,
})

/** The order with the rows that were left out, each before the first row with a higher number. */
export function amongRows(order: Uint32Array, left: LeftOut, numberOf: (row: number) => number): Uint32Array {
  const all = new Uint32Array(order.length + left.rows.length)
  let [from, out] = [0, 0]
  for (let i = 0; i < all.length; i++)
    all[i] =
      from < order.length && !(out < left.rows.length && left.rows[out].number < numberOf(order[from]))
        ? order[from++]
        : left.first + out++
  return all
}

/** The column, in which rows that were left out have the cells of the file. `at`: its place there; null: the file has it not. */
export function withLeftOut(column: TableColumn, left: LeftOut, at: number | null): TableColumn {
  if (left.rows.length === 0) return column
  const cellOf = (row: number) => (at === null ? '' : (left.rows[row - left.first].cells[at] ?? ''))
  const isOut = (row: number) => row >= left.first
  const { text, raw, mark } = column
  return {
    ...column,
    text: (row) => (isOut(row) ? cellOf(row) : text(row)),
    raw: (row) => (isOut(row) ? '' : (raw ?? text)(row)),
    mark: (row) => (isOut(row) ? null : (mark?.(row) ?? null)),
  }
}

/** The width of a name with the button that takes its row back. */
const BUTTON_PX = 170

/** The same of the column that names the rows; `at`: -1 if rows have numbers only. */
export function namesWithLeftOut(column: TableColumn, left: LeftOut, at: number): TableColumn {
  if (left.rows.length === 0) return column
  const { text } = withLeftOut(column, left, at)
  const nameOf = (row: number) => text(row) || (left.rows[row - left.first]?.number ?? '')
  return {
    ...withLeftOut(column, left, at),
    text: nameOf,
    controlsPx: Math.max(column.controlsPx ?? 0, BUTTON_PX),
  }
}
