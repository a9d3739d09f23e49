/** A point of a chart that the person moves along the x axis, by dragging or with the keys of a slider. */
import type { RefObject, TargetedPointerEvent } from 'preact'
import { useRef } from 'preact/hooks'
import type { Plane } from './plane.ts'

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
  readonly plane: RefObject<Plane | null>
}

export function Handle({ handle, element, plane }: HandleProps) {
  const left = useRef<number | null>(null)
  const { from, to, label, onHold, onMove, present, snap, step, text, x } = handle
  const move = (value: number) => {
    const next = Math.min(Math.max(snap(value), from), to)
    if (next !== present) onMove(next)
  }
  const hold = (event: TargetedPointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    left.current = event.currentTarget.parentElement!.getBoundingClientRect().left
    onHold(true)
  }
  const drag = (event: PointerEvent) => {
    if (left.current !== null && plane.current !== null) move(plane.current.xAt(event.clientX - left.current))
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
export function putHandle(element: HTMLElement, plane: Plane, { x, y }: HandlePoint): void {
  const [across, up] = [plane.x(x), plane.y(y)]
  const { left, top, width, height } = plane
  const isInside = across >= left - 1 && across <= left + width + 1 && up >= top - 1 && up <= top + height + 1
  element.style.visibility = isInside ? '' : 'hidden'
  if (isInside) element.style.transform = `translate(${across}px, ${up}px)`
}
