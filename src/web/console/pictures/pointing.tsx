/** Shows the number of a picture that the pointer or the arrow keys are at, and marks its row in the table of the page. */
import type { ComponentChildren, TargetedPointerEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { pointAtRow, seekRow, usePointedRow } from '../pointed-row.ts'
import { nearest, type PlacedSpot, reached } from './spots.ts'

interface PointingProps {
  /** The sentence that a screen reader reads in place of the picture. */
  readonly summary: string
  /** The numbers of the picture as it is drawn. */
  spots(): readonly PlacedSpot[]
  readonly children: ComponentChildren
}

interface Chosen {
  readonly at: number
  /** Whether the keys chose it, so that a screen reader reads it. */
  readonly isByKeys: boolean
}

export function Pointing({ summary, spots, children }: PointingProps) {
  const place = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { row } = usePointedRow()
  const choose = (at: number, isByKeys: boolean) => {
    if (at === (chosen?.at ?? -1)) return
    setChosen(at === -1 ? null : { at, isByKeys })
    pointAtRow(spots()[at]?.row ?? null)
  }
  const leave = () => choose(-1, false)
  const follow = (event: TargetedPointerEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    choose(nearest(spots(), [event.clientX - left, event.clientY - top]), false)
  }
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    if (event.key === 'Escape') return leave()
    if (event.key === 'Enter') return seek()
    const next = reached(spots(), chosen?.at ?? -1, event.key)
    if (next === null) return
    event.preventDefault()
    choose(next, true)
  }
  const seek = () => {
    const found = chosen === null ? undefined : spots()[chosen.at]?.row
    if (found !== undefined) seekRow(found)
  }
  const spot =
    chosen !== null ? spots()[chosen.at] : row === null ? undefined : spots().find((one) => one.row === row)
  return (
    <div
      class={spot?.row === undefined ? 'pointing' : 'pointing of-row'}
      ref={place}
      tabindex={0}
      role="group"
      aria-label={`${summary} Arrow keys go through its values.`}
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={leave}
      onBlur={leave}
      onKeyDown={press}
      onClick={seek}
    >
      {children}
      {spot !== undefined && <Tip spot={spot} width={place.current?.clientWidth ?? 0} />}
      <span class="unseen" role="status">
        {chosen?.isByKeys ? spot?.text().join(', ') : ''}
      </span>
    </div>
  )
}

/** The room in pixels that a text needs to the left and right of its number, and above it. */
const [BESIDE, ABOVE] = [110, 70]

function Tip({ spot, width }: { readonly spot: PlacedSpot; readonly width: number }) {
  const { left, top } = spot
  const [name, ...others] = spot.text()
  const across = left < BESIDE ? 'start' : left > width - BESIDE ? 'end' : 'middle'
  return (
    <>
      <span class="ring" style={{ left: `${left}px`, top: `${top}px` }} />
      <p
        class={`tip ${across} ${top < ABOVE ? 'below' : 'above'}`}
        style={{ left: `${left}px`, top: `${top}px` }}
        aria-hidden="true"
      >
        <strong>{name}</strong>
        {others.map((line) => (
          <span>{line}</span>
        ))}
      </p>
    </>
  )
}
