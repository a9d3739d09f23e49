/** The names at the ends of lines cover none of each other, and the labels of points cross no line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { freePlace, stacked } from '../../../src/web/console/pictures/label-places.ts'
import { nearest, type PlacedSpot, reached } from '../../../src/web/console/pictures/spots.ts'

const HEIGHT = 300

test('names below each other stay apart and in the picture, and each is at its line if there is room', () => {
  const tops = fc.array(fc.double({ noNaN: true, min: 0, max: HEIGHT }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(tops, (tops) => {
      const labels = tops.map((top) => ({ top, height: 15 }))
      const placed = stacked(labels, 0, HEIGHT)
      const shown = placed.filter((place) => place !== null).sort((a, b) => a - b)
      for (const [i, place] of shown.entries()) {
        assert.ok(place >= 7.5 - 1e-9 && place <= HEIGHT - 7.5 + 1e-9, `${place} is outside`)
        if (i > 0) assert.ok(place - shown[i - 1] >= 15 - 1e-9, `${place} covers ${shown[i - 1]}`)
      }
      if (tops.length * 15 <= HEIGHT) assert.equal(shown.length, tops.length)
    }),
  )
  assert.deepEqual(
    stacked(
      [50, 200, 120].map((top) => ({ top, height: 15 })),
      0,
      HEIGHT,
    ),
    [50, 200, 120],
  )
  assert.deepEqual(
    stacked(
      [100, 101].map((top) => ({ top, height: 15 })),
      0,
      HEIGHT,
    ),
    [93, 108],
  )
})

test('a label crosses no line and no other label, or is left out', () => {
  const area = { left: 0, top: 0, width: 200, height: 100 }
  const size = { width: 50, height: 16, gap: 6 }
  const line = [
    [
      [0, 20],
      [200, 20],
    ],
  ] as const
  const above = freePlace([100, 50], size, { area, segments: [], boxes: [] })
  assert.deepEqual(above, [100, 36])
  const [, top] = freePlace([100, 34], size, { area, segments: line, boxes: [] })!
  assert.ok(top - 8 > 20, 'the line above the point leads the label below it')
  const boxes = [{ left: 0, top: 0, width: 200, height: 100 }]
  assert.equal(freePlace([100, 50], size, { area, segments: [], boxes }), null)
})

const spot = (left: number, top: number, series: string, kind: PlacedSpot['kind'] = 'line'): PlacedSpot => ({
  left,
  top,
  series,
  kind,
  half: 5,
  text: () => [],
})

test('the pointer finds the nearest number: a point from nearby, a line from everywhere, a bar from above', () => {
  const lines = [spot(0, 50, 'a'), spot(100, 50, 'a'), spot(100, 90, 'b')]
  assert.equal(nearest(lines, [90, 60]), 1)
  assert.equal(nearest(lines, [90, 80]), 2)
  assert.equal(nearest([spot(0, 0, 'a', 'point')], [80, 0]), -1)
  assert.equal(nearest([spot(0, 0, 'a', 'point')], [20, 0]), 0)
  assert.equal(nearest([spot(10, 90, '', 'bar'), spot(20, 10, '', 'bar')], [22, 80]), 1)
})

test('arrow keys go along a series and between series, and stop at the ends', () => {
  const spots = [spot(20, 50, 'a'), spot(0, 50, 'a'), spot(20, 90, 'b')]
  assert.equal(reached(spots, -1, 'ArrowRight'), 1)
  assert.equal(reached(spots, 1, 'ArrowRight'), 0)
  assert.equal(reached(spots, 0, 'ArrowRight'), 0)
  assert.equal(reached(spots, 0, 'ArrowDown'), 2)
  assert.equal(reached(spots, 2, 'ArrowUp'), 0)
  assert.equal(reached(spots, 2, 'ArrowDown'), 2)
  assert.equal(reached(spots, 0, 'Home'), 1)
  assert.equal(reached(spots, 0, 'Tab'), null)
})
