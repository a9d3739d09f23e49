/** The charts of a page of prices: the price against each axis, or each number against one axis. */
import { useState } from 'preact/hooks'
import { inUnit, labelWithUnit } from '../greek-units.ts'
import type { PriceAxis, PriceModel } from '../kernels/options.ts'
import { capitalised } from '../labels.ts'
import type { PageOfOperation, Values } from '../operation.ts'
import type { Ink } from '../pictures/palette.ts'
import { Curve, useCurve } from './curve.tsx'

interface PriceCurveProps {
  readonly model: PriceModel
  /** The values of the model, and the price at them. */
  readonly values: object
  readonly price: number
  readonly axis: PriceAxis
  /** Absent: the point cannot be dragged. */
  readonly page?: PageOfOperation
  readonly height?: number
}

export function PriceCurve({ model, values, price, axis, page, height = 230 }: PriceCurveProps) {
  const along = useCurve({ model, f: model.curve, values, axis })
  const lines = model.lines
    .map((line, i) => ({ ...line, of: (found: readonly number[]) => found[i] }))
    .filter(({ axes }) => axes === undefined || axes.includes(axis))
  return <Curve along={along} lines={lines} name="Price" y={price} page={page} height={height} />
}

const colors: readonly Ink[] = ['first', 'third', 'fourth', 'second']
const greekAxes = ['spot', 'volatility', 'maturity'] as const

const numberIn = (outputs: Values, name: string): number | undefined => {
  const value = outputs[name]
  return typeof value === 'number' ? value : undefined
}

interface GreekCurvesProps extends Pick<PriceCurveProps, 'model' | 'values'> {
  /** The numbers at the present values. */
  readonly numbers: Values
  readonly names: readonly string[]
  readonly page: PageOfOperation
}

/** Charts of each of the numbers `names` against one axis, which the person chooses. */
export function GreekCurves({ model, values, numbers, names, page }: GreekCurvesProps) {
  const [axis, setAxis] = useState<PriceAxis>('spot')
  const along = useCurve({ model, f: model.numbers, values, axis })
  return (
    <div>
      <p class="choice" role="group" aria-label="Axis of the pictures">
        Against
        {greekAxes.map((one) => (
          <button type="button" class="small quiet" aria-pressed={one === axis} onClick={() => setAxis(one)}>
            {capitalised(model.fields[one] === 'forward' ? 'forward' : one)}
          </button>
        ))}
      </p>
      <div class="charts small">
        {names.map((name, i) => (
          <Curve
            key={name}
            along={along}
            name={labelWithUnit(name, { isShort: true })}
            y={inUnit(name, numberIn(numbers, name))}
            page={page}
            height={200}
            lines={[
              {
                label: labelWithUnit(name, { isShort: true }),
                of: (found) => inUnit(name, numberIn(found, name)),
                color: colors[i % colors.length],
              },
            ]}
          />
        ))}
      </div>
    </div>
  )
}
