/** The charts of a page of prices: the price against each axis, or each number against one axis. */
// @ts-nocheck: to be converted
import { useState } from 'preact/hooks'
import { inUnit, labelWithUnit } from '../greek-units.ts'
import { capitalised } from '../labels.ts'
import { Curve, useCurve } from './curve.tsx'

/** `price`: the price at the present values; `page`: null if the point cannot be dragged. */
export function PriceCurve({ model, values, price, axis, page = null, height = 230 }) {
  const along = useCurve({ model, f: model.curve, values, axis })
  const lines = model.lines
    .map((line, i) => ({ ...line, of: (found) => found[i] }))
    .filter(({ axes }) => axes === undefined || axes.includes(axis))
  return <Curve along={along} lines={lines} name="Price" y={price} page={page} height={height} />
}

const colors = ['first', 'third', 'fourth', 'second']

/** Charts of each of the numbers `names` against one axis, which the person chooses. */
export function GreekCurves({ model, values, numbers, names, page }) {
  const [axis, setAxis] = useState('spot')
  const along = useCurve({ model, f: model.numbers, values, axis })
  return (
    <div>
      <p class="choice" role="group" aria-label="Axis of the pictures">
        Against
        {['spot', 'volatility', 'maturity'].map((one) => (
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
            y={inUnit(name, numbers?.[name])}
            page={page}
            height={200}
            lines={[
              {
                label: labelWithUnit(name, { isShort: true }),
                of: (one) => inUnit(name, one[name]),
                color: colors[i % colors.length],
              },
            ]}
          />
        ))}
      </div>
    </div>
  )
}
