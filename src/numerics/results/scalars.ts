/** Derivative, utility and entropy, by the names of requests and replies. */
import { type DifferenceMethod, type FunctionName, finiteDifference } from '../derivative.ts'
import { logUtility } from '../log-utility.ts'
import { shannonEntropy } from '../statistics/shannon-entropy.ts'

interface Difference {
  readonly func_name: FunctionName
  readonly x: number
  readonly h: number
  readonly method: DifferenceMethod
}

export const derivative = ({ func_name, x, h, method }: Difference) => ({
  function: func_name,
  x,
  derivative: finiteDifference(func_name, x, h, method),
  method,
})

export function utility({ wealth }: { readonly wealth: number }) {
  const result = logUtility(wealth)
  return {
    utility: result.utility,
    marginal_utility: result.marginalUtility,
    absolute_risk_aversion: result.absoluteRiskAversion,
    relative_risk_aversion: result.relativeRiskAversion,
  }
}

interface Distribution {
  readonly probabilities: ArrayLike<number>
  readonly base: number
}

export const entropy = ({ probabilities, base }: Distribution) => ({
  shannon_entropy: shannonEntropy(new Float64Array(probabilities), base),
  base,
})
