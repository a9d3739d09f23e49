/** Saves what a page shows as files, tables as CSV (RFC 4180), in which no cell is a formula. */
import { csvField } from '../../base/csv.ts'

export const saveText = (text: string, name: string, type: string): void =>
  saveBlob(new Blob([text], { type }), name)

export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Saves a canvas as PNG, on the background of the page. */
export function saveCanvas(canvas: HTMLCanvasElement, name: string): void {
  const copy = document.createElement('canvas')
  copy.width = canvas.width
  copy.height = canvas.height
  const context = copy.getContext('2d')!
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--surface')
  context.fillRect(0, 0, copy.width, copy.height)
  context.drawImage(canvas, 0, 0)
  copy.toBlob((blob) => saveBlob(blob!, `${name}.png`))
}

/** Saves an element <svg> as a file. Its colours must be attributes, because the file has no style sheet. */
export function saveSvg(element: SVGElement, name: string): void {
  const copy = element.cloneNode(true) as SVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  saveText(new XMLSerializer().serializeToString(copy), `${name}.svg`, 'image/svg+xml')
}

export const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvField).join(',')}\n`

export const csv = (rows: readonly (readonly unknown[])[]): string => rows.map(csvLine).join('')

/** The rows whose lines are made before the page does other work. */
const ROWS_AT_ONCE = 2_000

/** Resolves with a Blob. `lineOf(row)`: the line of the row with this number. */
export async function longCsv(
  head: readonly unknown[],
  rows: number,
  lineOf: (row: number) => string,
): Promise<Blob> {
  const pieces = [csvLine(head)]
  for (let start = 0; start < rows; start += ROWS_AT_ONCE) {
    const lines: string[] = []
    for (let row = start; row < Math.min(rows, start + ROWS_AT_ONCE); row++) lines.push(lineOf(row))
    pieces.push(lines.join(''))
    await new Promise((resolve) => setTimeout(resolve))
  }
  return new Blob(pieces, { type: 'text/csv' })
}
