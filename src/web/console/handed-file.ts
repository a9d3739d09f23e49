/** A file or text on its way from the page on which it was dropped to the page that takes it. */
import type { TableEntry } from './data/shapes.ts'

/** A table, with what the person chose for it. */
export interface Handed extends Partial<Pick<TableEntry, 'file' | 'text' | 'types' | 'taken'>> {
  readonly sheet?: string | null
  /** Whether the person has seen and confirmed which columns are recognised. */
  readonly isConfirmed?: boolean
}

/** The address of the page that says what a table is for. */
export const FILE_PAGE = '#/file'

let handed: Handed | null = null

/** Opens the page at a hash, which takes the table. */
export function handOver(given: Handed, hash: string): void {
  handed = given
  location.hash = hash
}

/** Whether a file is on its way, which takes longer to read than the page to show. */
export const isFileHanded = (): boolean => handed?.file != null

/** The table for the page that is opened, once. */
export function takeHanded(): Handed | null {
  const given = handed
  handed = null
  return given
}
