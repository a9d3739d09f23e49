/** A table of any length, of which only the rows in view are elements; a row that leaves the view gives its elements to one that enters. */
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { pointAtRow, usePointedRow } from './pointed-row.ts'
import { type SortKey, sortedBy } from './shown-rows.ts'

const ROW = 28
/** Rows beyond the view that are elements too. */
const MARGIN = 12
/** Rows by whose texts the width of a column is chosen. */
const MEASURED = 60
const SIGN_PX = 7.6
const [NARROWEST, WIDEST] = [72, 260]
/** Texts of more signs may be cut, so that they are titles too. */
const LONG = 30
/** How much wider than its texts a table of few columns is. */
const WIDENED = 1.5

export interface TableColumn {
  readonly name: string
  text(row: number): string | number
  /** What the rows are sorted by; absent: the text. */
  raw?(row: number): SortKey
  readonly isNumber?: boolean
  /** Whether the column is a result, not given. */
  readonly isResult?: boolean
  /** Why the cell is marked; null: it is not. */
  mark?(row: number): string | null
  /** Controls below the heading, and the width that they need. */
  readonly controls?: ComponentChildren
  readonly controlsPx?: number
}

interface VirtualTableProps {
  readonly label: string
  /** The column that names the rows, which stays in view. */
  readonly names: TableColumn
  readonly columns: readonly TableColumn[]
  /** Row numbers from 0, in the order that is shown until the person sorts them. */
  readonly order: Uint32Array
  /** The button in the name of a row that is struck through; absent: of an ordinary row. */
  struck?(row: number): ComponentChildren
  /** Links the rows with the pictures of the page. */
  readonly isLinked?: boolean
}

/** The order that the person has chosen. */
interface Sort {
  readonly column: string
  readonly isDescending: boolean
}

export function VirtualTable({
  label,
  names,
  columns,
  order: given,
  struck,
  isLinked = false,
}: VirtualTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ first: 0, count: 20 })
  const [sort, setSort] = useState<Sort | null>(null)
  const all = [names, ...columns]
  const sorted = sort === null ? undefined : all.find((column) => keyOf(column) === sort.column)
  const order = useMemo(
    () =>
      sort === null || sorted === undefined
        ? given
        : sortedBy(given, sorted.raw ?? sorted.text, sort.isDescending),
    [given, sort, sorted === undefined],
  )
  const look = () => {
    const { scrollTop, clientHeight } = scroller.current!
    const next = { first: Math.floor(scrollTop / ROW), count: Math.ceil(clientHeight / ROW) }
    setView((before) => (before.first === next.first && before.count === next.count ? before : next))
  }
  useLayoutEffect(() => {
    scroller.current!.scrollTop = 0
    look()
  }, [order])
  const links = useLinks({ scroller, order, isLinked })
  const widths = useMemo(() => all.map((column) => widthOf(column, given)), [given, names, columns])
  const sum = widths.reduce((sum, width) => sum + width, 0)
  const first = Math.max(0, Math.min(view.first, order.length) - MARGIN)
  const last = Math.min(order.length, view.first + view.count + MARGIN)
  const hasControls = all.some(({ controls }) => controls !== undefined)
  return (
    <div
      class="scroll data"
      ref={scroller}
      tabindex={0}
      role="region"
      aria-label={label}
      onScroll={look}
      {...links.handlers}
    >
      <table
        aria-rowcount={order.length + (hasControls ? 2 : 1)}
        style={{ minWidth: `${sum}px`, width: `min(100%, ${WIDENED * sum}px)` }}
      >
        <colgroup>
          {widths.map((width) => (
            <col style={{ width: `${width}px` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {all.map((column) => (
              <Heading
                column={column}
                direction={
                  sort?.column !== keyOf(column) ? undefined : sort.isDescending ? 'descending' : 'ascending'
                }
                onSort={() => setSort(next(sort, keyOf(column)))}
              />
            ))}
          </tr>
          {hasControls && (
            <tr class="controls">
              {all.map(({ controls, isResult }) => (
                <td class={isResult ? 'result' : undefined}>{controls}</td>
              ))}
            </tr>
          )}
        </thead>
        <tbody>
          <Gap rows={first} columns={all.length} />
          {Array.from(order.subarray(first, last), (row, i) => {
            const button = struck?.(row)
            const kinds = [button && 'struck', row === links.row && 'pointed']
            return (
              <tr
                key={(first + i) % (view.count + 2 * MARGIN)}
                class={kinds.filter((kind) => kind).join(' ') || undefined}
                data-row={row}
                aria-rowindex={first + i + (hasControls ? 3 : 2)}
              >
                <th scope="row">
                  {button ? (
                    <>
                      <s>{names.text(row)}</s> {button}
                    </>
                  ) : (
                    names.text(row)
                  )}
                </th>
                {columns.map((column) => (
                  <Cell column={column} row={row} />
                ))}
              </tr>
            )
          })}
          <Gap rows={order.length - last} columns={all.length} />
        </tbody>
      </table>
    </div>
  )
}

interface LinkInput extends Pick<VirtualTableProps, 'order'> {
  readonly isLinked: boolean
  readonly scroller: RefObject<HTMLDivElement | null>
}

/** Marks the row that the pointer or the keys are at here or in a picture, and shows the row that was clicked in a picture. */
function useLinks({ scroller, order, isLinked }: LinkInput) {
  const { row, sought } = usePointedRow()
  const show = (place: number, isCentred: boolean) => {
    const { clientHeight, scrollTop } = scroller.current!
    const head = scroller.current!.querySelector('thead')!.clientHeight
    const [least, most] = [place * ROW - clientHeight + head + ROW, place * ROW]
    if (scrollTop >= least && scrollTop <= most) return
    scroller.current!.scrollTop = isCentred ? (least + most) / 2 : scrollTop < least ? least : most
  }
  const first = useRef(sought)
  useLayoutEffect(() => {
    if (!isLinked || sought === first.current || row === null) return
    const place = order.indexOf(row)
    if (place === -1) return
    scroller.current!.scrollIntoView({ block: 'nearest' })
    show(place, true)
    scroller.current!.focus({ preventScroll: true })
    // The picture let go of the row when it lost the focus.
    pointAtRow(row)
  }, [sought])
  if (!isLinked) return { row: null, handlers: {} }
  const follow = ({ target }: Event) => {
    const at = (target as Element).closest<HTMLElement>('tbody tr')?.dataset.row
    pointAtRow(at === undefined ? null : Number(at))
  }
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || event.target !== event.currentTarget || order.length === 0) return
    event.preventDefault()
    const place = Math.min(Math.max((row === null ? -1 : order.indexOf(row)) + step, 0), order.length - 1)
    pointAtRow(order[place])
    show(place, false)
  }
  const leave = () => pointAtRow(null)
  return { row, handlers: { onPointerOver: follow, onPointerLeave: leave, onBlur: leave, onKeyDown: press } }
}

const keyOf = ({ name, isResult = false }: TableColumn): string => `${isResult} ${name}`

function widthOf({ name, text, controlsPx = NARROWEST }: TableColumn, order: Uint32Array): number {
  const texts = Array.from(order.subarray(0, MEASURED), (row) => String(text(row)))
  const longest = Math.max(name.length + 2, ...texts.map(({ length }) => length))
  return Math.min(WIDEST, Math.max(controlsPx, Math.round(longest * SIGN_PX) + 26))
}

interface CellProps {
  readonly column: TableColumn
  readonly row: number
}

function Cell({ column: { text, isNumber, isResult, mark }, row }: CellProps) {
  const reason = mark?.(row) ?? null
  const kinds = [isNumber && 'number', isResult && 'result', reason !== null && 'flag']
  const shown = text(row)
  return (
    <td
      class={kinds.filter((kind) => kind).join(' ') || undefined}
      title={reason || (String(shown).length > LONG ? String(shown) : undefined)}
    >
      {shown}
      {reason && <span class="unseen"> {reason}</span>}
    </td>
  )
}

/** Takes the place of rows out of view. */
const Gap = ({ rows, columns }: { readonly rows: number; readonly columns: number }) =>
  rows > 0 && (
    <tr aria-hidden="true">
      <td class="gap" colspan={columns} style={{ height: `${rows * ROW}px` }} />
    </tr>
  )

/** The next sorting of a column: ascending, then descending, then the given order. */
const next = (sort: Sort | null, column: string): Sort | null =>
  sort?.column !== column
    ? { column, isDescending: false }
    : sort.isDescending
      ? null
      : { column, isDescending: true }

const arrows = { ascending: '▲', descending: '▼' }

interface HeadingProps {
  readonly column: TableColumn
  /** undefined: the rows are not sorted by this column. */
  readonly direction: keyof typeof arrows | undefined
  onSort(): void
}

const Heading = ({ column: { name, isNumber, isResult }, direction, onSort }: HeadingProps) => (
  <th
    scope="col"
    class={[isNumber && 'number', isResult && 'result'].filter((kind) => kind).join(' ') || undefined}
    aria-sort={direction}
  >
    <button type="button" class="sort" title={name} onClick={onSort}>
      {name} <span aria-hidden="true">{direction === undefined ? '' : arrows[direction]}</span>
    </button>
  </th>
)
