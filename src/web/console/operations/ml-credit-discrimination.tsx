/** Credit discrimination: ROC curve with its area, distribution functions with their largest gap. */
import type { MlCreditDiscriminationData } from '../../../../clients/typescript/types.ts'
import type { SentTable, TableSpec } from '../data/shapes.ts'
import { quantities } from '../greek-units.ts'
import { tables } from '../kernels/discrimination-curves.ts'
import { models } from '../kernels/models.ts'
import { plural, short } from '../numbers.ts'
import { madeUp, type PictureProps, type Values } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { upright } from '../pictures/layers.ts'
import { RocChart } from '../pictures/roc-chart.tsx'

export const lead = 'To measure how well a score separates defaults from the others: AUC, Gini and KS.'

export const table: TableSpec = {
  kind: 'columns',
  fields: ['y_true', 'y_score'],
  choices: { y_true: [1, 0] },
  turns: 'y_score',
}
export const { preview, model } = models.mlCreditDiscrimination
export const headline = (data: MlCreditDiscriminationData) =>
  quantities(['auc_roc', 'ks_statistic', 'gini'], data)

/** The invented scores of eighty loans. */
export const sample = { y_true: scores() }

function scores() {
  const lines = Array.from({ length: 80 }, (_, i) => {
    const isDefault = i % 4 === 0
    return `${isDefault ? 1 : 0}, ${((isDefault ? 0.3 : 0.05) + 0.6 * madeUp(i, 2) * (isDefault ? 1 : madeUp(i, 5) + 0.25)).toFixed(3)}`
  })
  return ['y_true, y_score', ...lines].join('\n')
}

type Props = PictureProps<Values, MlCreditDiscriminationData, ReturnType<typeof model>, SentTable>

export function Picture({ data, model, table }: Props) {
  const gap = short(data.ks_statistic)
  const { shares } = model
  return (
    <>
      <div class="charts">
        <RocChart title="ROC curve" data={data} model={model} fill />
        <Chart
          title="Distribution of the scores by class"
          summary={`The distribution functions of both classes are ${gap} apart at score ${short(model.at)}.`}
          height={300}
          range={{ y: [0, 1.02] }}
          x={shares.score}
          xLabel={table.isTurned ? 'Score × −1' : 'Score'}
          yLabel="Share with this score or lower"
          lines={[
            { label: 'No default', y: shares.good, color: 'third', steps: true },
            { label: 'Default', y: shares.bad, color: 'second', steps: true },
          ]}
          layers={[
            upright(model.at, model.goodAt, model.badAt, { color: 'ink', width: 2, label: `KS ${gap}` }),
          ]}
          numbers={() => tables(model).shares}
        />
      </div>
      <p class="hint">
        {plural(model.rows, 'score')}, of which {plural(model.positives, 'default')}.
      </p>
    </>
  )
}
