/** Writes text to the clipboard. */

/** Browsers offer the clipboard API on https and localhost only; elsewhere execCommand still works. */
export async function write(text: string): Promise<boolean> {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const area = document.createElement('textarea')
  area.className = 'unseen'
  area.value = text
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  return copied
}
