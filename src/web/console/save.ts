/** Saves what a page shows as files. */

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
