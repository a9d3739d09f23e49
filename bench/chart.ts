/** A line chart over two logarithmic axes as a small SVG, readable on light and dark pages. */
import type { Series } from './record.ts'

export interface ChartText {
  readonly title: string
  readonly x: string
  readonly y: string
}

const WIDTH = 640
const HEIGHT = 380
const LEFT = 64
const RIGHT = 28
const TOP = 36
const BOTTOM = 44
const LEGEND_LINE = 17
/** Distinguishable with colour-vision deficiency (Okabe & Ito 2008); each line also has its own dash pattern. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9']
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '4 2', '10 3']

export function chart({ title, x, y }: ChartText, series: readonly Series[]): string {
  const points = series.flatMap((one) => one.points)
  const [left, right] = bounds(points.map(([value]) => value))
  const [low, high] = bounds(points.map(([, value]) => value))
  const bottom = HEIGHT - BOTTOM
  const across = (value: number) =>
    LEFT + ((Math.log10(value) - left) / (right - left)) * (WIDTH - LEFT - RIGHT)
  const up = (value: number) => bottom - ((Math.log10(value) - low) / (high - low)) * (bottom - TOP)
  const height = HEIGHT + series.length * LEGEND_LINE + 8
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${LEFT}" y="20" font-size="14" font-weight="bold">${escaped(title)}</text>`,
    ...decades(left, right).map(
      (decade) =>
        `<path d="M${round(across(10 ** decade))} ${TOP}V${bottom}" stroke="#ddd"/><text x="${round(across(10 ** decade))}" y="${bottom + 16}" text-anchor="middle">${short(10 ** decade)}</text>`,
    ),
    ...decades(low, high).map(
      (decade) =>
        `<path d="M${LEFT} ${round(up(10 ** decade))}H${WIDTH - RIGHT}" stroke="#ddd"/><text x="${LEFT - 6}" y="${round(up(10 ** decade) + 4)}" text-anchor="end">${short(10 ** decade)}</text>`,
    ),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(x)}</text>`,
    `<text transform="translate(14 ${(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(y)}</text>`,
    ...series.flatMap((one, index) => {
      const path = one.points.map(([a, b]) => `${round(across(a))} ${round(up(b))}`).join('L')
      const dash = DASHES[index % DASHES.length]
      const stroke = `fill="none" stroke="${COLOURS[index % COLOURS.length]}" stroke-width="2"${dash ? ` stroke-dasharray="${dash}"` : ''}`
      const legend = HEIGHT + index * LEGEND_LINE + 4
      return [
        `<path d="M${path}" ${stroke}/>`,
        `<path d="M${LEFT} ${legend}h36" ${stroke}/>`,
        `<text x="${LEFT + 44}" y="${legend + 4}">${escaped(one.name)}</text>`,
      ]
    }),
    '</svg>',
  ]
  return `${lines.join('\n')}\n`
}

/** The whole decades that enclose the values. */
function bounds(values: readonly number[]): [number, number] {
  const logs = values.map(Math.log10)
  const low = Math.floor(Math.min(...logs) + 1e-9)
  return [low, Math.max(low + 1, Math.ceil(Math.max(...logs) - 1e-9))]
}

const decades = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n)

const round = (value: number): string => String(Math.round(value * 10) / 10)

const short = (value: number): string =>
  value >= 1e6
    ? `${value / 1e6} M`
    : value >= 1e3
      ? `${(value / 1e3).toLocaleString('en')},000`
      : String(Number(value.toPrecision(1)))

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
