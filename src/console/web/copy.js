/** A button that copies a text and confirms it. */
import { h } from './dom.js'

/** `text`: a function, called on each click, so that the current text is copied. */
export function copyButton(text, label = 'Copy') {
  const button = h('button', { type: 'button', class: 'small quiet' }, label)
  button.addEventListener('click', async () => {
    const copied = await write(text())
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
  return button
}

/** Browsers offer the clipboard API on https and localhost only; elsewhere execCommand still works. */
async function write(text) {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const area = h('textarea', { class: 'skip', 'aria-hidden': 'true' })
  area.value = text
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  return copied
}
