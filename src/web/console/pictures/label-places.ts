/** Places for the labels of a chart: beside the ends of its lines, and beside points where nothing is crossed. */
import type { Box, Place } from './plane.ts'

/** A label at the end of a line: the height that it wants, and that of its text. */
export interface EndLabel {
  readonly top: number
  readonly height: number
}

/**
 * The middles of labels below each other, none of which covers another: each as near to its own place as the others allow. Labels that
 * are too many for the height have null: every second one, fourth one, and so on stays.
 */
export function stacked(labels: readonly EndLabel[], from: number, to: number): (number | null)[] {
  const order = labels.map((_, i) => i).sort((a, b) => labels[a].top - labels[b].top)
  let kept = order
  for (let step = 2; heightOf(kept, labels) > to - from && kept.length > 1; step *= 2)
    kept = order.filter((_, place) => place % step === 0)
  // Groups of labels that touch, each around the mean of the places that its labels want.
  const groups: { members: number[]; start: number; height: number }[] = []
  for (const i of kept) {
    groups.push({ members: [i], start: labels[i].top - labels[i].height / 2, height: labels[i].height })
    for (let last = groups.length - 1; last >= 0; last--) {
      const group = groups[last]
      group.start = Math.min(Math.max(wantedStart(group, labels), from), to - group.height)
      const before = groups[last - 1]
      if (before === undefined || before.start + before.height <= group.start) break
      before.members.push(...group.members)
      before.height += group.height
      groups.pop()
    }
  }
  const places: (number | null)[] = labels.map(() => null)
  for (const { members, start } of groups) {
    let top = start
    for (const i of members) {
      places[i] = top + labels[i].height / 2
      top += labels[i].height
    }
  }
  return places
}

const heightOf = (places: readonly number[], labels: readonly EndLabel[]): number =>
  places.reduce((sum, i) => sum + labels[i].height, 0)

/** The start of a group at which the squares of the distances of its labels from their places have the least sum. */
function wantedStart(
  { members }: { readonly members: readonly number[] },
  labels: readonly EndLabel[],
): number {
  let [sum, above] = [0, 0]
  for (const i of members) {
    sum += labels[i].top - above - labels[i].height / 2
    above += labels[i].height
  }
  return sum / members.length
}

/** A piece of a curve that no label may cross. */
export type Segment = readonly [from: Place, to: Place]

const STEPS = [0, 10, 22, 36, 52]
/** The directions in which a label is tried, the best first. */
const DIRECTIONS: readonly Place[] = [
  [0, -1],
  [1, -1],
  [-1, -1],
  [0, 1],
  [1, 1],
  [-1, 1],
  [1, 0],
  [-1, 0],
]

/**
 * The middle of a label beside a point, as near as possible, such that it is within the area, crosses no segment and covers no other
 * box; null: there is none.
 */
export function freePlace(
  [left, top]: Place,
  size: { readonly width: number; readonly height: number; readonly gap: number },
  {
    area,
    segments,
    boxes,
  }: { readonly area: Box; readonly segments: readonly Segment[]; readonly boxes: readonly Box[] },
): Place | null {
  for (const step of STEPS)
    for (const [across, up] of DIRECTIONS) {
      const beside = across === 0 ? 0 : size.width / 2 + (up === 0 ? size.gap + step : step / 2)
      const above = up === 0 ? 0 : size.height / 2 + size.gap + step
      const middle: Place = [left + across * beside, top + up * above]
      const box = { ...size, left: middle[0] - size.width / 2, top: middle[1] - size.height / 2 }
      const isFree =
        isWithin(box, area) &&
        boxes.every((other) => !isCovered(box, other)) &&
        segments.every((segment) => !isCrossed(box, segment))
      if (isFree) return middle
    }
  return null
}

const isWithin = (box: Box, area: Box): boolean =>
  box.left >= area.left &&
  box.top >= area.top &&
  box.left + box.width <= area.left + area.width &&
  box.top + box.height <= area.top + area.height

const isCovered = (a: Box, b: Box): boolean =>
  a.left < b.left + b.width &&
  b.left < a.left + a.width &&
  a.top < b.top + b.height &&
  b.top < a.top + a.height

/** Whether a segment has a point in a box: the part of it between the sides is not empty (Liang & Barsky 1984). */
function isCrossed({ left, top, width, height }: Box, [[x0, y0], [x1, y1]]: Segment): boolean {
  let [enter, leave] = [0, 1]
  const sides = [
    [x0 - x1, x0 - left],
    [x1 - x0, left + width - x0],
    [y0 - y1, y0 - top],
    [y1 - y0, top + height - y0],
  ]
  for (const [slope, room] of sides) {
    if (slope === 0) {
      if (room < 0) return false
    } else if (slope < 0) enter = Math.max(enter, room / slope)
    else leave = Math.min(leave, room / slope)
  }
  return enter <= leave
}
