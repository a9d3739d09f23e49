/** A button that copies a text and confirms it. */
// @ts-nocheck: to be converted
import { useState } from 'preact/hooks'
import { write } from './clipboard.ts'

/** `text`: a function that gives the text at each click. */
export function CopyButton({ text, label = 'Copy', name }) {
  const [shown, setShown] = useState(null)
  const copy = async () => {
    setShown((await write(text())) ? 'Copied' : 'Press Ctrl+C')
    setTimeout(() => setShown(null), 2000)
  }
  return (
    <button type="button" class="small quiet" aria-label={shown ?? name} onClick={copy}>
      {shown ?? label}
    </button>
  )
}
