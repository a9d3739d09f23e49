/** A table of any length: only the rows in view are elements. */
import { html, useEffect, useRef, useState } from './html.js'

const ROW = 28
const MARGIN = 12

/**
 * `columns`: `{ name, wire, text(row) }`; `order`: the rows in the order shown, numbers from 0; `isMarked(row)`; `heading` and `nameOf`: what
 * names the rows.
 */
export function VirtualTable({
  label,
  columns,
  order,
  isMarked = () => false,
  heading = 'Row',
  nameOf = (row) => row + 1,
  height = 380,
}) {
  const scroller = useRef(null)
  const [top, setTop] = useState(0)
  useEffect(() => {
    scroller.current.scrollTop = 0
    setTop(0)
  }, [order])
  const first = Math.max(0, Math.floor(top / ROW) - MARGIN)
  const last = Math.min(order.length, Math.ceil((top + height) / ROW) + MARGIN)
  const rows = []
  for (let i = first; i < last; i++) rows.push(order[i])
  const visible = Math.min(height, (order.length + 1) * ROW + 14)
  return html`<div class="scroll data" ref=${scroller} tabindex="0" role="region" aria-label=${label} style=${{ height: `${visible}px` }}
    onScroll=${(event) => setTop(event.currentTarget.scrollTop)}>
    <table aria-rowcount=${order.length + 1}>
      <thead><tr><th scope="col">${heading}</th>${columns.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>
        ${first > 0 && html`<tr aria-hidden="true" key="above"><td class="gap" colspan=${columns.length + 1} style=${{ height: `${first * ROW}px` }}></td></tr>`}
        ${rows.map(
          (
            row,
            i,
          ) => html`<tr key=${row} aria-rowindex=${first + i + 2} class=${isMarked(row) ? 'marked' : undefined}>
            <th scope="row">${nameOf(row)}</th>${columns.map(({ text }) => html`<td>${text(row)}</td>`)}
          </tr>`,
        )}
        ${last < order.length && html`<tr aria-hidden="true" key="below"><td class="gap" colspan=${columns.length + 1} style=${{ height: `${(order.length - last) * ROW}px` }}></td></tr>`}
      </tbody>
    </table>
  </div>`
}

/** The flagged rows first, each part in ascending order. */
export function flaggedFirst(count, isFlagged) {
  const order = new Uint32Array(count)
  let at = 0
  for (let row = 0; row < count; row++) if (isFlagged(row)) order[at++] = row
  for (let row = 0; row < count; row++) if (!isFlagged(row)) order[at++] = row
  return order
}
