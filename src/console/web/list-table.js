/** A table of a few rows, each with a name. */
import { html } from './html.js'

/** `columns`: headings; brackets around a heading mark a column of numbers. `rows`: arrays of cells; the first names the row. */
export function Table({ label, columns, rows, empty = 'None.' }) {
  if (rows.length === 0) return html`<p class="hint">${empty}</p>`
  const isCount = columns.map((column) => column.startsWith('('))
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table class="shares">
      <thead>
        <tr>
          ${columns.map(
            (column, i) => html`<th scope="col" class=${isCount[i] ? 'count' : undefined}>
              ${column.replace(/[()]/g, '') || html`<span class="unseen">Act</span>`}
            </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) => html`<tr>
            ${cells.map((cell, i) =>
              i === 0
                ? html`<th scope="row">${cell}</th>`
                : html`<td
                  class=${isCount[i] ? 'count' : undefined}
                >
                  ${cell}
                </td>`,
            )}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
