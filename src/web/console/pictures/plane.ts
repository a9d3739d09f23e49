/** The plane of a chart: where its area lies on the canvas, and the places of numbers in it, in pixels of the page. */

/** A place in pixels, from the upper left corner of the canvas. */
export type Place = readonly [left: number, top: number]

export type Range = readonly [from: number, to: number]

export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface Plane extends Box {
  readonly range: { readonly x: Range; readonly y: Range }
  x(value: number): number
  y(value: number): number
  /** The number at a place of the horizontal axis. */
  xAt(left: number): number
}

/** @param log the axes that are logarithmic: 'x', 'y' or 'xy' */
export function planeOf(box: Box, range: Plane['range'], log: string): Plane {
  const [x, y] = [scaleOf(range.x, log.includes('x')), scaleOf(range.y, log.includes('y'))]
  return {
    ...box,
    range,
    x: (value) => box.left + x.share(value) * box.width,
    y: (value) => box.top + (1 - y.share(value)) * box.height,
    xAt: (left) => x.value((left - box.left) / box.width),
  }
}

function scaleOf([from, to]: Range, isLog: boolean) {
  const [to01, back] = isLog ? [Math.log, Math.exp] : [(value: number) => value, (value: number) => value]
  const [first, last] = [to01(from), to01(to)]
  return {
    // Halves are subtracted, because the range itself may exceed the largest double.
    share: (value: number) => (to01(value) / 2 - first / 2) / (last / 2 - first / 2),
    value: (share: number) => back(first + share * (last - first)),
  }
}
