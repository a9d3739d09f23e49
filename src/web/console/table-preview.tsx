/** The first rows of a table as they are written, with the type of each column, which can be changed. */
// @ts-nocheck: to be converted
import { isDate, isNumeric, types } from './data/column-types.ts'
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
