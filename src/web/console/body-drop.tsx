/** Takes the request of an operation without a table from a JSON file that is dropped on the page. */
import { useState } from 'preact/hooks'
import type { Form } from '../../derive/forms.ts'
import { type Entries, entriesOfBody } from './entries.ts'
import { useDrop } from './use-drop.ts'

const LONGEST_BYTES = 5e6

interface BodyDropProps {
  readonly form: Form
  onEntries(entries: Entries): void
}

export function BodyDrop({ form, onEntries }: BodyDropProps) {
  const [error, setError] = useState<string | null>(null)
  useDrop(async (file) => {
    const entries = file.size > LONGEST_BYTES ? null : await entriesIn(form, file)
    if (entries !== null) onEntries(entries)
    setError(
      entries === null
        ? `${file.name} was not taken. It must be JSON: an object with fields of this page, such as ${form.fields[0].name}.`
        : null,
    )
  })
  return (
    <p class="error" role="alert" hidden={error === null}>
      {error}
    </p>
  )
}

async function entriesIn(form: Form, file: File): Promise<Entries | null> {
  try {
    return entriesOfBody(form, JSON.parse(await file.text()))
  } catch {
    return null
  }
}
