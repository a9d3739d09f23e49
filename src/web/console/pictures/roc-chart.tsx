/** The ROC curve, with the diagonal of chance and the point of the largest distance to it. */
// @ts-nocheck: to be converted
import { short } from '../numbers.ts'
import { Chart } from './chart.tsx'
import { point } from './layers.ts'

/** `model`: the value of `curves`; `more`: a text that follows the area in the summary. */
export function RocChart({ title, data, model, more = '', fill = false, layers = [], numbers }) {
  const { falsePositive, truePositive } = model.roc
  const area = short(data.auc_roc)
  return (
    <Chart
      title={title}
      summary={`ROC curve with an area of ${area} below it${more}.`}
      height={300}
      range={{ x: [0, 1], y: [0, 1.02] }}
      x={falsePositive}
      xLabel="False positive rate"
      yLabel="True positive rate"
      lines={[
        { label: `ROC, area ${area}${more}`, y: truePositive, fill },
        { label: 'Chance', y: falsePositive, color: 'muted', width: 1.5 },
      ]}
      layers={[...layers, point(...model.rocAt, { label: `KS ${short(data.ks_statistic)}` })]}
      numbers={numbers}
    />
  )
}
