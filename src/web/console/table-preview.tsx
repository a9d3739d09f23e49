/** The first rows of a table as they are written, with the type of each column, which can be changed. */
// @ts-nocheck: to be converted

import { types } from './data/column-types.ts'
import { isDate, isNumeric } from './data/table.ts'
import { clipped } from './labels.ts'
import { plural } from './numbers.ts'

const MOST_COLUMNS = 60

export function FirstRows({ table, types: chosen, onTypes, onSheet }) {
  const { columns, head, sheets, sheet } = table
  if (columns.length === 1 && !table.hasHeader && !(sheets?.length > 1)) return null
  const shown = columns.slice(0, MOST_COLUMNS)
  const change = (i) => (event) => onTypes({ ...chosen, [i]: event.currentTarget.value })
  return (
    <div>
      {sheets?.length > 1 && (
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
      <div class="scroll first-rows" tabindex="0" role="region" aria-label="First rows of the table">
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

const missing = ({ gaps, oddCount }) =>
  [gaps > 0 && `${gaps} missing`, oddCount > 0 && `${oddCount} not read`].filter((part) => part).join(', ')

const NOUNS = { hidden: 'hidden row', headings: 'repeated heading', note: 'note', total: 'total' }
/** A group of more rows is taken back as a whole, and its first rows are shown. */
const MOST_SINGLE = 5

/** The rows that were set aside, struck through, each group with the button that takes them back; then those that were. */
export function AsideRows({ aside, taken, onTaken }) {
  if (aside.length === 0) return null
  return (
    <div class="aside" role="group" aria-label="Rows that are no observations">
      {aside.map((group) => (
        <AsideGroup key={`${group.key} ${group.isTaken}`} group={group} taken={taken} onTaken={onTaken} />
      ))}
    </div>
  )
}

function AsideGroup({ group: { kind, key: whole, isTaken, count, rows }, taken, onTaken }) {
  const isWhole = kind === 'hidden' || count > MOST_SINGLE
  const keys = rows.map(({ key }) => key)
  const change = (some) =>
    onTaken(isTaken ? taken.filter((key) => key !== whole && !some.includes(key)) : [...taken, ...some])
  const button = (some, words) => (
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
