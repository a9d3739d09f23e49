/** A button that lets the person choose a file. */
import type { TargetedEvent } from 'preact'
import { useRef } from 'preact/hooks'

/** The names of files that are offered; others can be dropped. */
const FILE_TYPES = '.csv,.tsv,.txt,.json,.jsonl,.ndjson,.xlsx,.xlsm,.parquet,.arrow,.arrows,.feather,.ipc'

interface FileButtonProps {
  readonly id?: string
  readonly label: string
  readonly title?: string
  readonly kind?: string
  /** What the file is for, read aloud. */
  readonly of?: string
  onFile(file: File): void
}

export function FileButton({ id, label, title, kind = '', of = 'your table', onFile }: FileButtonProps) {
  const picker = useRef<HTMLInputElement>(null)
  const pick = (event: TargetedEvent<HTMLInputElement>) => {
    const [file] = event.currentTarget.files ?? []
    if (file) onFile(file)
    event.currentTarget.value = ''
  }
  return (
    <>
      <button type="button" class={kind} id={id} title={title} onClick={() => picker.current?.click()}>
        {label}
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        accept={FILE_TYPES}
        aria-label={`File for ${of}`}
        onChange={pick}
      />
    </>
  )
}
