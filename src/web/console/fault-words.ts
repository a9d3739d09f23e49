/** The sentences for errors that the numerics throw in a preview. */
import type { DomainError } from '../../numerics/domain-error.ts'
import { labelOf } from './labels.ts'

/** Labels of parameters that have other names in the numerics than in requests. */
const parameters: Readonly<Record<string, string>> = {
  rate: 'Risk-free rate',
  maturity: 'Time to maturity',
  type: 'Option type',
  theta: 'Drift of the Brownian motion',
  expectedLabels: labelOf('expected_y_true'),
  actualLabels: labelOf('actual_y_true'),
  counts: 'The table of counts',
  labels: 'The labels',
  scores: 'The scores',
  trees: 'The number of trees',
  seed: 'The random seed',
}
const nameOf = (parameter: string): string =>
  parameters[parameter] ??
  labelOf(parameter.split('.')[0].replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

export interface Fault {
  /** A text for people. */
  readonly text: string
  /** The label of the field at fault, or null. */
  readonly label: string | null
}

/** An error of the numerics, with the labels of fields in its message. */
export function faultIn(error: unknown): Fault {
  const { parameter } = error as Partial<DomainError>
  return { text: inWords(error), label: parameter === undefined ? null : nameOf(parameter) }
}

/** The message of an error of the numerics. */
export function inWords(error: unknown): string {
  const { message, parameter, isSentence } = error as Error & Partial<DomainError>
  const named = message.replace(/\{(\w+)\}/g, (_, name: string) => nameOf(name))
  return parameter === undefined || isSentence ? named : `${nameOf(parameter)} ${named}.`
}
