/** A point of a chart that the person moves along the x axis, by dragging or with the keys of a slider. */
// @ts-nocheck: to be converted

const KEYS = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
}

/**
 * `handle`: `{ x, y, present, label, text, from, to, step(x, count), snap(x), onMove(x), onHold(isHeld) }`; `present`: the latest
 * x, which the picture may not show yet. `element`: the ref by which the chart moves the element whenever it is drawn; `plot`: the
 * ref of the uPlot.
 */
export function Handle({ handle, element, plot }) {
  const left = useRef(null)
  const { from, to, label, onHold, onMove, present, snap, step, text, x } = handle
  const move = (value) => {
    const next = Math.min(Math.max(snap(value), from), to)
    if (next !== present) onMove(next)
  }
  const hold = (event) => {
    if (plot.current === null) return
    event.currentTarget.setPointerCapture(event.pointerId)
    left.current = plot.current.over.getBoundingClientRect().left
    onHold(true)
  }
  const drag = (event) => {
    if (left.current !== null) move(plot.current.posToVal(event.clientX - left.current, 'x'))
  }
  const release = () => {
    if (left.current === null) return
    left.current = null
    onHold(false)
  }
  const press = (event) => {
    const target =
      { Home: from, End: to }[event.key] ?? (event.key in KEYS ? step(present, KEYS[event.key]) : null)
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
export function putHandle(element, plot, { x, y }) {
  const [left, top] = [plot.valToPos(x, 'x'), plot.valToPos(y, 'y')]
  // Not read from the element, which would compute the layout of the page once for each chart in a frame.
  const [width, height] = [plot.bbox.width, plot.bbox.height].map((size) => size / devicePixelRatio)
  const isInside = left >= -1 && left <= width + 1 && top >= -1 && top <= height + 1
  element.style.visibility = isInside ? '' : 'hidden'
  if (isInside)
    element.style.transform = `translate(${left + plot.bbox.left / devicePixelRatio}px, ${top + plot.bbox.top / devicePixelRatio}px)`
}

import { useRef } from 'preact/hooks'
