/** The one way numerics refuses: an argument outside the domain of a function. */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  /** The argument at fault, by the name the numerics function gives it (dots and indices for elements: `X.3`). */
  readonly parameter: string

  constructor(parameter: string, message: string) {
    super(message)
    this.parameter = parameter
  }
}
