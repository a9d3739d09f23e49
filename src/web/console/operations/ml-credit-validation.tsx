/** Credit validation: reliability by bin, and the ROC curve with its confidence band. */
import type { MlCreditValidationData } from '../../../../clients/typescript/types.ts'
import type { TableSpec } from '../data/shapes.ts'
import { quantities } from '../greek-units.ts'
import { models } from '../kernels/models.ts'
import { plural, short } from '../numbers.ts'
import { madeUp, type PictureProps, type Values } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { band } from '../pictures/layers.ts'
import { RocChart } from '../pictures/roc-chart.tsx'

export const lead =
  'To validate a PD model: whether it ranks the risks, and whether its probabilities are the default rates that occur.'

export const table: TableSpec = {
  kind: 'columns',
  fields: ['y_true', 'y_prob', 'weights'],
  needed: ['y_true', 'y_prob'],
  choices: { y_true: [1, 0] },
  turns: 'y_prob',
}
export const { preview, model } = models.mlCreditValidation
export const headline = (data: MlCreditValidationData) =>
  quantities(['auc_roc', 'brier_score', 'expected_calibration_error', 'hosmer_lemeshow_p_value'], data)

/** The invented probabilities of 120 loans, too low for the risky ones. */
export const sample = { y_true: loans() }

function loans() {
  const lines = Array.from({ length: 120 }, (_, i) => {
    const p = 0.01 + 0.6 * madeUp(i, 2) ** 2
    return `${madeUp(i, 3) < p * (1 + p) ? 1 : 0}, ${p.toFixed(3)}`
  })
  return ['y_true, y_prob', ...lines].join('\n')
}

type Props = PictureProps<Values, MlCreditValidationData, ReturnType<typeof model>>

export function Picture({ data, model }: Props) {
  const interval =
    data.auc_lower === undefined || data.auc_upper === undefined
      ? ''
      : `, interval ${short(data.auc_lower)} to ${short(data.auc_upper)}`
  const most = Math.max(...data.bins.map((bin) => Math.max(bin.mean_probability, bin.observed_rate)), 1e-9)
  const means = data.bins.map((bin) => bin.mean_probability)
  return (
    <>
      <div class="charts">
        <Chart
          title="Reliability"
          summary={`Observed rates of default in ${plural(data.bins.length, 'bin')}, on average ${short(data.expected_calibration_error)} from the mean probabilities.`}
          height={300}
          range={{ x: [0, most * 1.05], y: [0, most * 1.1] }}
          x={[0, ...means, most * 1.05]}
          xLabel="Mean probability of the bin"
          yLabel="Observed rate of default"
          lines={[
            {
              label: 'Observed',
              y: [null, ...data.bins.map((bin) => bin.observed_rate), null],
              points: true,
            },
            {
              label: 'Perfect calibration',
              y: [0, ...means, most * 1.05],
              isGuide: true,
            },
          ]}
        />
        <RocChart
          title="ROC curve with its band"
          data={data}
          model={model}
          more={interval}
          layers={[band(model.roc.falsePositive, model.roc.truePositive, model.reach)]}
        />
      </div>
      <p class="hint">
        {plural(model.rows, 'row')}, of which {plural(model.positives, 'default')}. The band holds the whole
        curve with the stated confidence (Campbell 1994).
      </p>
    </>
  )
}
