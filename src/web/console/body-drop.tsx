/** Takes a file that is dropped on the page of one row: the JSON of its request, or a table for the page of many rows. */
import type { Form } from '../../derive/forms.ts'
import { type Entries, entriesOfBody } from './entries.ts'
import { FILE_PAGE, handOver } from './handed-file.ts'
import { isRecord } from './link.ts'
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

const LONGEST_BYTES = 5e6

/** The JSON object in a file, or null. */
export async function objectIn(file: File): Promise<Record<string, unknown> | null> {
  if (file.size > LONGEST_BYTES) return null
  try {
    const read: unknown = JSON.parse(await file.text())
    return isRecord(read) ? read : null
  } catch {
    return null
  }
}
