/** The ROC curve, with the diagonal of chance and the point of the largest distance to it. */
import { type curves, tables } from '../kernels/discrimination-curves.ts'
import { short } from '../numbers.ts'
import { Chart } from './chart.tsx'
import { type Layer, point } from './layers.ts'

interface RocChartProps {
  readonly title: string
  readonly data: { readonly auc_roc: number; readonly ks_statistic: number }
  readonly model: Pick<ReturnType<typeof curves>, 'roc' | 'rocAt' | 'all'>
  /** A text that follows the area in the summary. */
  readonly more?: string
  readonly fill?: boolean
  readonly layers?: readonly Layer[]
}

export function RocChart(props: RocChartProps) {
  const { title, data, model, more = '', fill = false, layers = [] } = props
  const { falsePositive, truePositive } = model.roc
  const [x, y] = model.rocAt
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
        { label: 'ROC', y: truePositive, fill },
        { label: 'Chance', y: falsePositive, isGuide: true },
      ]}
      layers={[...layers, point(x, y, { label: `KS ${short(data.ks_statistic)}` })]}
      numbers={() => tables(model).roc}
    />
  )
}
