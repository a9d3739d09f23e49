/** Shannon entropy as an endpoint. */
import { entropy } from '../../../numerics/results/scalars.ts'
import { operation } from '../operation.ts'
import { exactly, number, positive, vector, withDefault } from '../schema.ts'

export const shannonEntropyOperation = operation({
  path: '/quantlib/physics/entropy/shannon',
  title: 'Shannon entropy',
  summary:
    'Entropy −Σ p·log(p) of a distribution. The logarithm may have any base: e gives nats, 2 bits, 10 dits; a base below 1 gives a negative entropy. The probabilities are used as they are, not rescaled to the sum 1.',
  input: exactly({
    probabilities: vector(
      'discrete distribution; must sum to 1, within 1e-6',
      number('probability', { minimum: 0 }),
    ),
    base: withDefault(positive('other than 1; logarithm base'), Math.E),
  }),
  output: exactly({
    shannon_entropy: number('in units of the base'),
    base: number('the base used'),
  }),
  example: {
    input: { probabilities: [0.5, 0.25, 0.125, 0.125], base: 2 },
    output: { shannon_entropy: 1.75, base: 2 },
  },
  work: ({ probabilities }) => 5 + 0.035 * probabilities.length,
  compute: entropy,
})
