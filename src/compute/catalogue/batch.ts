/** The schemas of the batch: many computations in one request. */
import { MAX_CALLS, MAX_PATH_CHARACTERS } from '../../base/limits/callers.ts'
import { Type } from '../../base/type.ts'

export const batch = {
  path: '/quantlib/batch' as const,
  title: 'Batch of computations',
  summary: `Up to ${MAX_CALLS.toLocaleString('en')} computations in one request. They are answered in order, each with its own success or failure. The batch counts as one request in the rate limits and is charged for its successes; it is refused with 402 unless the balance covers the cost of all its calls. The limits on numbers and computing time apply to the sum of the calls.`,
  input: Type.Object(
    {
      calls: Type.Array(
        Type.Object(
          {
            path: Type.String({
              description: 'such as /quantlib/pricing/bs/price',
              maxLength: MAX_PATH_CHARACTERS,
            }),
            body: Type.Object({}, { description: 'its request body' }),
          },
          { additionalProperties: false },
        ),
        { description: 'in order of results', minItems: 1, maxItems: MAX_CALLS },
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    {
      results: Type.Array(
        Type.Object({
          success: Type.Boolean({ description: 'whether this call succeeded' }),
          data: Type.Optional(Type.Object({}, { description: 'of a success: the data of that endpoint' })),
          message: Type.Optional(Type.String({ description: 'of a failure: what is wrong and what to do' })),
          error: Type.Optional(
            Type.Object({}, { description: 'of a failure: code and details, as in a failure reply' }),
          ),
        }),
        { description: 'one per call, in order' },
      ),
    },
    { additionalProperties: false },
  ),
  example: {
    input: {
      calls: [
        { path: '/quantlib/economics/utility/log', body: { wealth: 1 } },
        {
          path: '/quantlib/numerical/differentiation/derivative',
          body: { func_name: 'log', x: -1, h: 0.5 },
        },
      ],
    },
    output: {
      results: [
        {
          success: true,
          data: { utility: 0, marginal_utility: 1, absolute_risk_aversion: 1, relative_risk_aversion: 1 },
        },
        {
          success: false,
          message: 'log needs arguments above 0; the points of the difference are -1.5 and -0.5.',
          error: {
            code: 'invalid_input',
            details: [
              {
                path: '/x',
                message: 'log needs arguments above 0; the points of the difference are -1.5 and -0.5',
              },
            ],
          },
        },
      ],
    },
  },
}
