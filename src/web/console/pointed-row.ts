/** The row of the table of the page that the pointer or the keys are at, in a picture or in the table itself. */
import { observable } from './observable.ts'

interface Pointed {
  /** The number of the row from 0, or null. */
  readonly row: number | null
  /** Counts the wishes to see a row in the table. */
  readonly sought: number
}

const { notify, useChanges } = observable()
let pointed: Pointed = { row: null, sought: 0 }

export function pointAtRow(row: number | null): void {
  if (row === pointed.row) return
  pointed = { ...pointed, row }
  notify()
}

/** Scrolls the table to a row. */
export function seekRow(row: number): void {
  pointed = { row, sought: pointed.sought + 1 }
  notify()
}

export function usePointedRow(): Pointed {
  useChanges()
  return pointed
}
