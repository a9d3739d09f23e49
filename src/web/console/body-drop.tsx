/** Takes a file that is dropped on the page of one row: the JSON of its request, or a table for the page of many rows. */
import type { Form } from '../../derive/forms.ts'
import { type Entries, entriesOfBody } from './entries.ts'
import { FILE_PAGE, handOver } from './handed-file.ts'
import { objectIn } from './object-in-file.ts'
import { useDrop } from './use-drop.ts'

interface BodyDropProps {
  readonly form: Form
  /** The address of the page of many rows, or null. */
  readonly rows: string | null
  onEntries(entries: Entries): void
}

export function BodyDrop({ form, rows, onEntries }: BodyDropProps) {
  const take = async (file: File) => {
    const body = await objectIn(file)
    const entries = body === null || 'columns' in body ? null : entriesOfBody(form, body)
    if (entries !== null) return onEntries(entries)
    handOver({ file }, rows !== null && (body === null || 'columns' in body) ? rows : FILE_PAGE)
  }
  useDrop({ file: take })
  return null
}
