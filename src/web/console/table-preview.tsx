/** The first rows of a table as they are written, with the type of each column, which can be changed. */
import type { TargetedEvent } from 'preact'
import { types } from './data/column-types.ts'
import type { TableEntry } from './data/shapes.ts'
import {
  type AsideGroup,
  type AsideKey,
  type AsideKind,
  type Column,
  type ColumnType,
  isDate,
  isNumeric,
  type Table,
} from './data/table.ts'
import { clipped } from './labels.ts'
import { plural } from './numbers.ts'

const MOST_COLUMNS = 60

interface FirstRowsProps {
  readonly table: Table
  /** Types that the person chose, by the number of the column. */
  readonly types: TableEntry['types']
  onTypes(types: TableEntry['types']): void
  onSheet(sheet: string): void
}

export function FirstRows({ table, types: chosen, onTypes, onSheet }: FirstRowsProps) {
  const { columns, head, sheets = [], sheet } = table
  if (columns.length === 1 && !table.hasHeader && sheets.length <= 1) return null
  const shown = columns.slice(0, MOST_COLUMNS)
  const change = (i: number) => (event: TargetedEvent<HTMLSelectElement>) =>
    onTypes({ ...chosen, [i]: event.currentTarget.value as ColumnType })
  return (
    <div>
      {sheets.length > 1 && (
        <p class="axes">
          <label>
            Sheet{' '}
            <select value={sheet} onChange={(event) => onSheet(event.currentTarget.value)}>
              {sheets.map((name) => (
                <option value={name} selected={name === sheet}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </p>
      )}
      <div class="scroll first-rows" tabindex={0} role="region" aria-label="First rows of the table">
        <table>
          <thead>
            <tr>
              {shown.map((column, i) => (
                <th scope="col">
                  {column.name}
                  <br />
                  <select aria-label={`Type of ${column.name}`} value={column.type} onChange={change(i)}>
                    {Object.entries(types).map(([type, { label }]) => (
                      <option value={type} selected={type === column.type}>
                        {label}
                      </option>
                    ))}
                  </select>
                  {column.gaps + column.oddCount > 0 && <span class="gaps">{missing(column)}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {head.map((cells) => (
              <tr>
                {shown.map((column, i) => (
                  <td class={isNumeric(column) || isDate(column) ? 'number' : undefined}>{cells[i]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {columns.length > MOST_COLUMNS && (
        <p class="hint">
          The first {MOST_COLUMNS} of {plural(columns.length, 'column')}.
        </p>
      )}
    </div>
  )
}

const missing = ({ gaps, oddCount }: Column): string =>
  [gaps > 0 && `${gaps} missing`, oddCount > 0 && `${oddCount} not read`].filter((part) => part).join(', ')

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

export function AsideRows({ aside, taken, onTaken }: TakenProps & Pick<Table, 'aside'>) {
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
