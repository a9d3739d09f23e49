/** Takes a file that is dropped on the page of one row: the JSON of its request, or a table for the page of many rows. */
import { useState } from 'preact/hooks'
import type { Form } from '../../derive/forms.ts'
import { type Entries, entriesOfBody } from './entries.ts'
import { handOver } from './handed-file.ts'
import { useDrop } from './use-drop.ts'

const LONGEST_BYTES = 5e6

interface BodyDropProps {
  readonly form: Form
  /** The address of the page of many rows, or null. */
  readonly rows: string | null
  onEntries(entries: Entries): void
}

export function BodyDrop({ form, rows, onEntries }: BodyDropProps) {
  const [error, setError] = useState<string | null>(null)
  useDrop(async (file) => {
    const body = file.size > LONGEST_BYTES ? null : await objectIn(file)
    if (rows !== null && (body === null || 'columns' in body)) return handOver(file, rows)
    const entries = body && entriesOfBody(form, body)
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

/** The JSON object in a file, or null. */
async function objectIn(file: File): Promise<Record<string, unknown> | null> {
  try {
    const read: unknown = JSON.parse(await file.text())
    return typeof read === 'object' && !Array.isArray(read) ? (read as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
