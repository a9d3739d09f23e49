/** Reads a file that may be the JSON of a request. */
import { isRecord } from './link.ts'

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
