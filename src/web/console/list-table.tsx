/** A table of a few rows, each with a name; and labels with their values, in a list or each in a tile. */
import type { ComponentChildren } from 'preact'

interface TableProps {
  readonly label: string
  /** Headings; brackets around a heading mark a column of numbers. */
  readonly columns: readonly string[]
  /** Rows of cells; the first cell names the row. */
  readonly rows: readonly (readonly ComponentChildren[])[]
  readonly empty?: string
}

export function Table({ label, columns, rows, empty = 'None.' }: TableProps) {
  if (rows.length === 0) return <p class="hint">{empty}</p>
  const isCount = columns.map((column) => column.startsWith('('))
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={label}>
      <table class="shares">
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th scope="col" class={isCount[i] ? 'count' : undefined}>
                {column.replace(/[()]/g, '') || <span class="unseen">Act</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell, i) =>
                i === 0 ? (
                  <th scope="row">{cell}</th>
                ) : (
                  <td class={isCount[i] ? 'count' : undefined}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Labels and values. */
type Labelled = readonly (readonly [label: string, value: ComponentChildren])[]

/** Those without a value are left out. */
export const Facts = ({ facts }: { readonly facts: Labelled }) => (
  <dl class="values">
    {facts
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

export const Tiles = ({ tiles }: { readonly tiles: Labelled }) => (
  <dl class="totals">
    {tiles.map(([label, value]) => (
      <div class="card">
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
