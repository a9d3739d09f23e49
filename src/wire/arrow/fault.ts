/** The failure of a stream that cannot be read: the place of the fault, and its description. */
export class ArrowFault extends Error {
  /** `''` for the whole stream, or `/columns/…`. */
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/** @param place the name of a column, or `name/row` */
export const columnFault = (place: string, message: string): ArrowFault =>
  new ArrowFault(`/columns/${place}`, message)

export const malformed = (problem: string): ArrowFault =>
  new ArrowFault('', `is not a well-formed Arrow stream: it ${problem}`)
