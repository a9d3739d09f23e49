/** A table of any length, of which only the rows in view are elements. */
// @ts-nocheck: to be converted
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { sortedBy } from './row-order.ts'

const ROW = 28
const MARGIN = 12
const HEIGHT = 380

/**
 * `columns`: `{ name, text(row), raw(row) }`, sorted by `raw`, or by `text` without it; `order`: row numbers from 0, in the order
 * that is shown until the person sorts them; `isMarked(row)`; `heading` and `nameOf`: the heading and names of the rows.
 */
export function VirtualTable({
  label,
  columns,
  order: given,
  isMarked = () => false,
  heading = 'Row',
  nameOf = (row) => row + 1,
}) {
  const scroller = useRef(null)
  const [top, setTop] = useState(0)
  const [sort, setSort] = useState(null)
  const all = [{ name: heading, text: nameOf }, ...columns]
  useLayoutEffect(() => setSort(null), [given])
  const order = useMemo(() => {
    if (sort === null) return given
    const { raw, text } = all[sort.at]
    return sortedBy(given, raw ?? text, sort.isDescending)
  }, [given, sort])
  useLayoutEffect(() => {
    scroller.current.scrollTop = 0
    setTop(0)
  }, [order])
  const first = Math.max(0, Math.floor(top / ROW) - MARGIN)
  const last = Math.min(order.length, Math.ceil((top + HEIGHT) / ROW) + MARGIN)
  const rows = []
  for (let i = first; i < last; i++) rows.push(order[i])
  const visible = Math.min(HEIGHT, (order.length + 1) * ROW + 14)
  return (
    <div
      class="scroll data"
      ref={scroller}
      tabindex="0"
      role="region"
      aria-label={label}
      style={{ height: `${visible}px` }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <table aria-rowcount={order.length + 1}>
        <thead>
          <tr>
            {all.map(({ name }, at) => (
              <Heading
                name={name}
                direction={sort?.at !== at ? undefined : sort.isDescending ? 'descending' : 'ascending'}
                onSort={() => setSort(next(sort, at))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && (
            <tr aria-hidden="true" key="above">
              <td class="gap" colspan={columns.length + 1} style={{ height: `${first * ROW}px` }} />
            </tr>
          )}
          {rows.map((row, i) => (
            <tr key={row} aria-rowindex={first + i + 2} class={isMarked(row) ? 'marked' : undefined}>
              <th scope="row">{nameOf(row)}</th>
              {columns.map(({ text }) => (
                <td>{text(row)}</td>
              ))}
            </tr>
          ))}
          {last < order.length && (
            <tr aria-hidden="true" key="below">
              <td
                class="gap"
                colspan={columns.length + 1}
                style={{ height: `${(order.length - last) * ROW}px` }}
              />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

/** The next sorting of a column: ascending, then descending, then the given order. */
const next = (sort, at) =>
  sort?.at !== at ? { at, isDescending: false } : sort.isDescending ? null : { at, isDescending: true }

const arrows = { ascending: '▲', descending: '▼' }

const Heading = ({ name, direction, onSort }) => (
  <th scope="col" aria-sort={direction}>
    <button type="button" class="sort" onClick={onSort}>
      {name} <span aria-hidden="true">{arrows[direction] ?? ''}</span>
    </button>
  </th>
)
