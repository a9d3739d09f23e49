/** Numerical differentiation as an endpoint. */
import { differenceMethods, functionNames } from '../../../numerics/derivative.ts'
import { derivative } from '../../../numerics/results/scalars.ts'
import { operation } from '../operation.ts'
import { exactly, number, oneOf, positive, withDefault } from '../schema.ts'

export const derivativeOperation = operation({
  path: '/quantlib/numerical/differentiation/derivative',
  title: 'Numerical derivative',
  summary:
    'Finite difference of a built-in function: central, forward or backward, divided by the difference of the two rounded points. x2 is x², x3 is x³.',
  input: exactly({
    func_name: oneOf(functionNames, 'built-in function'),
    x: number('point; in the unit of the function’s argument'),
    h: withDefault(positive('step, in the unit of x; x + h must differ from x in double precision'), 1e-7),
    method: withDefault(oneOf(differenceMethods, 'finite differences'), 'central'),
  }),
  output: exactly({
    function: oneOf(functionNames, 'func_name'),
    x: number('the point of the request'),
    derivative: number('per unit of x; the difference quotient'),
    method: oneOf(differenceMethods, 'the method used'),
  }),
  example: {
    input: { func_name: 'x2', x: 3, h: 0.125 },
    output: { function: 'x2', x: 3, derivative: 6, method: 'central' },
  },
  work: () => 1,
  compute: derivative,
})
