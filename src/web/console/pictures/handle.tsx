/** A point of a chart that the person moves along the x axis, by dragging or with the keys of a slider. */
import type { RefObject, TargetedPointerEvent } from 'preact'
import { useRef } from 'preact/hooks'
import type uPlot from 'uplot'

const KEYS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
}

/** A point that the person can move. */
export interface HandlePoint {
  readonly x: number
  readonly y: number
  /** The latest x, which the picture may not show yet. */
  readonly present: number
  readonly label: string
  readonly text: string
  readonly from: number
  readonly to: number
  /** The x that is so many steps from another. */
  step(x: number, count: number): number
  /** The nearest x that can be chosen. */
  snap(x: number): number
  onMove(x: number): void
  onHold(isHeld: boolean): void
}

interface HandleProps {
  readonly handle: HandlePoint
  /** By it the chart moves the element whenever it is drawn. */
  readonly element: RefObject<HTMLSpanElement | null>
  readonly plot: RefObject<uPlot | null>
}

export function Handle({ handle, element, plot }: HandleProps) {
  const left = useRef<number | null>(null)
  const { from, to, label, onHold, onMove, present, snap, step, text, x } = handle
  const move = (value: number) => {
    const next = Math.min(Math.max(snap(value), from), to)
    if (next !== present) onMove(next)
  }
  const hold = (event: TargetedPointerEvent<HTMLElement>) => {
    if (plot.current === null) return
    event.currentTarget.setPointerCapture(event.pointerId)
    left.current = plot.current.over.getBoundingClientRect().left
    onHold(true)
  }
  const drag = (event: PointerEvent) => {
    if (left.current !== null && plot.current !== null)
      move(plot.current.posToVal(event.clientX - left.current, 'x'))
  }
  const release = () => {
    if (left.current === null) return
    left.current = null
    onHold(false)
  }
  const press = (event: KeyboardEvent) => {
    const ends: Readonly<Record<string, number>> = { Home: from, End: to }
    const count = KEYS[event.key]
    const target = ends[event.key] ?? (count === undefined ? null : step(present, count))
    if (target === null) return
    event.preventDefault()
    move(target)
  }
  return (
    <span
      class="handle"
      ref={element}
      role="slider"
      tabindex={0}
      aria-label={label}
      aria-valuemin={from}
      aria-valuemax={to}
      aria-valuenow={x}
      aria-valuetext={text}
      onKeyDown={press}
      onPointerDown={hold}
      onPointerMove={drag}
      onPointerUp={release}
      onLostPointerCapture={release}
    />
  )
}

/** Moves the element to its point, or hides it if the point is outside the axes. */
export function putHandle(element: HTMLElement, plot: uPlot, { x, y }: HandlePoint): void {
  const [left, top] = [plot.valToPos(x, 'x'), plot.valToPos(y, 'y')]
  // Not read from the element, which would compute the layout of the page once for each chart in a frame.
  const [width, height] = [plot.bbox.width, plot.bbox.height].map((size) => size / devicePixelRatio)
  const isInside = left >= -1 && left <= width + 1 && top >= -1 && top <= height + 1
  element.style.visibility = isInside ? '' : 'hidden'
  if (isInside)
    element.style.transform = `translate(${left + plot.bbox.left / devicePixelRatio}px, ${top + plot.bbox.top / devicePixelRatio}px)`
}
