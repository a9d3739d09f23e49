/** A table of any length, of which only the rows in view are elements. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type SortKey, sortedBy } from './row-order.ts'

const ROW = 28
const MARGIN = 12
const HEIGHT = 380

export interface TableColumn {
  readonly name: string
  text(row: number): string | number
  /** What the rows are sorted by; absent: the text. */
  raw?(row: number): SortKey
}

interface VirtualTableProps {
  readonly label: string
  readonly columns: readonly TableColumn[]
  /** Row numbers from 0, in the order that is shown until the person sorts them. */
  readonly order: Uint32Array
  isMarked(row: number): boolean
  /** The heading and names of the rows. */
  readonly heading?: string
  nameOf?(row: number): string | number
}

/** The order that the person has chosen. */
interface Sort {
  /** The number of the column; that of the names is 0. */
  readonly at: number
  readonly isDescending: boolean
}

export function VirtualTable({
  label,
  columns,
  order: given,
  isMarked,
  heading = 'Row',
  nameOf = (row) => row + 1,
}: VirtualTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [sort, setSort] = useState<Sort | null>(null)
  const all: readonly TableColumn[] = [{ name: heading, text: nameOf }, ...columns]
  useLayoutEffect(() => setSort(null), [given])
  const order = useMemo(() => {
    if (sort === null) return given
    const { raw, text } = all[sort.at]
    return sortedBy(given, raw ?? text, sort.isDescending)
  }, [given, sort])
  useLayoutEffect(() => {
    scroller.current!.scrollTop = 0
    setTop(0)
  }, [order])
  const first = Math.max(0, Math.floor(top / ROW) - MARGIN)
  const last = Math.min(order.length, Math.ceil((top + HEIGHT) / ROW) + MARGIN)
  const rows = Array.from(order.subarray(first, last))
  const visible = Math.min(HEIGHT, (order.length + 1) * ROW + 14)
  return (
    <div
      class="scroll data"
      ref={scroller}
      tabindex={0}
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
const next = (sort: Sort | null, at: number): Sort | null =>
  sort?.at !== at ? { at, isDescending: false } : sort.isDescending ? null : { at, isDescending: true }

const arrows = { ascending: '▲', descending: '▼' }

interface HeadingProps {
  readonly name: string
  /** undefined: the rows are not sorted by this column. */
  readonly direction: keyof typeof arrows | undefined
  onSort(): void
}

const Heading = ({ name, direction, onSort }: HeadingProps) => (
  <th scope="col" aria-sort={direction}>
    <button type="button" class="sort" onClick={onSort}>
      {name} <span aria-hidden="true">{direction === undefined ? '' : arrows[direction]}</span>
    </button>
  </th>
)
