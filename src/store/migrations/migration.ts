/** A migration: statements that both databases accept, except for the names of a few types. */

/** The types and options that the two databases name differently. */
interface ColumnTypes {
  /** An id that the database assigns. */
  readonly id: string
  /** A 64-bit integer. */
  readonly integer: string
  readonly bytes: string
  /** An order of texts by their bytes, in which those of one beginning are neighbours. */
  readonly byteOrder: string
  /** A table option that leaves space on each page for updates. */
  readonly updatedOften: string
  /** A table option that keeps the rows in their primary key, without an index beside them. */
  readonly byKey: string
}

export interface Migration {
  readonly name: string
  statements(type: ColumnTypes): readonly string[]
}
