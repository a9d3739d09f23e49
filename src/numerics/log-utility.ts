/** Logarithmic utility of wealth and its measures of risk aversion. */
import { DomainError } from './domain-error.ts'

export interface LogUtility {
  readonly utility: number
  readonly marginalUtility: number
  readonly absoluteRiskAversion: number
  readonly relativeRiskAversion: number
}

/**
 * u(w) = ln w with u'(w) = 1/w and the Arrow–Pratt measures A = −u″/u' = 1/w, R = w·A = 1
 * (Pratt 1964, eqs. 1 and 13; Arrow 1965).
 * @param wealth in any currency unit, greater than 0
 */
export function logUtility(wealth: number): LogUtility {
  if (!(wealth > 0)) throw new DomainError('wealth', 'must be greater than 0')
  const reciprocal = 1 / wealth
  if (reciprocal === Infinity)
    throw new DomainError(
      'wealth',
      'is too small: 1/wealth is beyond the range of double precision; use a smaller currency unit',
    )
  return {
    utility: Math.log(wealth),
    marginalUtility: reciprocal,
    absoluteRiskAversion: reciprocal,
    relativeRiskAversion: 1,
  }
}
