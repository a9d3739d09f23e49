/** What a migration is: statements that both databases take, but for a few words. */

/** The words in which the two databases differ. */
export interface ColumnTypes {
  /** A number the database gives out. */
  readonly id: string
  /** A 64-bit integer. */
  readonly integer: string
  readonly bytes: string
  /** Table option that leaves room for updates in place. */
  readonly updatedOften: string
}

export interface Migration {
  readonly name: string
  statements(type: ColumnTypes): readonly string[]
}
