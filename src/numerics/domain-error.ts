/** The error by which numerics refuse an argument outside the domain of a function. */

interface DomainErrorOptions {
  /** The message is a sentence of its own; by default it continues the name of the parameter: `must be positive`. */
  readonly isSentence?: boolean
}

/**
 * A message may name other parameters in braces, `has 8 values but {labels} has 9`: whoever shows it replaces these by
 * the names that its reader knows.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  /** The argument at fault, by the name the numerics function gives it (dots and indices for elements: `X.3`). */
  readonly parameter: string
  readonly isSentence: boolean

  constructor(parameter: string, message: string, { isSentence = false }: DomainErrorOptions = {}) {
    super(message)
    this.parameter = parameter
    this.isSentence = isSentence
  }
}
