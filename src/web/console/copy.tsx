/** A button that copies a text and confirms it. */
import { useState } from 'preact/hooks'
import { write } from './clipboard.ts'

interface CopyButtonProps {
  /** Gives the text at each click. */
  text(): string
  readonly label?: string
  readonly name: string
}

export function CopyButton({ text, label = 'Copy', name }: CopyButtonProps) {
  const [shown, setShown] = useState<string | null>(null)
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
