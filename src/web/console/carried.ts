/** Inputs and a table on their way to the page that takes them: that of another operation, or of a kept run. */
import type { Mapping, TableEntry } from './data/shapes.ts'
import type { Values } from './operation.ts'

/** A table as it can be read again, with what the person said of it. */
export interface TableSource extends Pick<TableEntry, 'text' | 'file' | 'beside' | 'types' | 'taken'> {
  readonly sheet: string | null
  readonly mapping: Mapping | null
  /** The names of its columns. */
  readonly columns: readonly string[]
}

export interface Carried {
  /** The values of fields that are not in the table, by their names on the page that takes them. */
  readonly given: Values
  readonly source: TableSource | null
  /** The field of `source.mapping` for each field of the page that takes it; null: it is the same page. */
  readonly fields: Readonly<Record<string, string>> | null
}

let carried: { readonly route: string; readonly load: Carried } | null = null
/** That of a file, which the table of the page reads. */
let source: Pick<Carried, 'source' | 'fields'> | null = null

/** Opens the page at an address, which takes what is carried. */
export function carryTo(address: string, load: Carried): void {
  carried = { route: address.split('?')[0], load }
  location.hash = address
}

/** What is carried to the page at this address, once. */
export function takeCarried(route: string): Carried | null {
  const load = carried?.route === route ? carried.load : null
  carried = null
  source = load?.source?.file ? load : null
  return load
}

/** The file that is carried to the page that has been opened, once. */
export function takeSource() {
  const taken = source
  source = null
  return taken
}
