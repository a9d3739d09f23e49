/** Many rows of one operation: a table whose columns are its fields, and a picture of an output against a column. */
// @ts-nocheck: to be converted
import { useMemo, useState } from 'preact/hooks'
import { isDate } from '../data/table.ts'
import { inUnit, labelWithUnit } from '../greek-units.ts'
import { acrossOf, against, seriesOf } from '../kernels/against.ts'
import { rowResults } from '../kernels/row-results.ts'
import { labelOf } from '../labels.ts'
import { plural, short, whole } from '../numbers.ts'
import { Chart } from '../pictures/chart.tsx'
import { dots, path } from '../pictures/layers.ts'
import { dashOf } from '../pictures/marks.ts'
import { namedAxis } from '../pictures/named-axis.ts'
import { around, extent } from '../pictures/sampling.ts'
import { dateText } from '../times.ts'

/** The table of an operation's form. */
export const tableOf = ({ fields }) => ({
  kind: 'rows',
  fields: fields.map(({ name }) => name),
  choices: Object.fromEntries(
    fields.filter(({ kind }) => kind === 'choice').map(({ name, choices }) => [name, choices]),
  ),
  sample: sampleOf(fields),
})

export const preview = null
export const { model, resultOf } = rowResults
/** Whether the results are shown beside the rows of the table. */
export const byRow = true

export const headline = ({ rows, succeeded }) => [
  { name: 'succeeded', label: `Successes among ${plural(rows, 'row')}`, value: succeeded },
  ...(succeeded < rows ? [{ name: 'failed', label: 'Failures, not charged', value: rows - succeeded }] : []),
]

const SAMPLE_ROWS = 9

/** A table of the required fields, in which the field that the example varies rises from row to row. */
function sampleOf(fields) {
  const shown = fields.filter(({ required }) => required)
  const row = (i) =>
    shown.map(({ example }) =>
      Array.isArray(example)
        ? Number((example[0] * (0.8 + (0.4 * i) / (SAMPLE_ROWS - 1))).toPrecision(6))
        : example,
    )
  return [shown.map(({ name }) => name), ...Array.from({ length: SAMPLE_ROWS }, (_, i) => row(i))]
    .map((cells) => cells.join(', '))
    .join('\n')
}

const colors = ['first', 'second', 'third', 'fourth']

/** A chart of an output against a column, which the person chooses; rows with different words have different marks. */
export function Picture({ data, model, table }) {
  const [chosen, setChosen] = useState({})
  const numbers = data.outputs.filter(({ words }) => words === null)
  const across = acrossOf(table)
  const shown = {
    output: numbers.some(({ name }) => name === chosen.output) ? chosen.output : model.name,
    x: across.includes(chosen.x) || chosen.x === -1 ? chosen.x : (across[0] ?? -1),
  }
  if (model.name === null) return null
  const { values } = numbers.find(({ name }) => name === shown.output)
  const select = (label, key, options, read) => (
    <label>
      {label}
      <select
        value={shown[key]}
        onChange={(event) => setChosen({ ...shown, [key]: read(event.currentTarget.value) })}
      >
        {options.map(([value, text]) => (
          <option value={value} selected={value === shown[key]}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <div>
      <Against name={shown.output} values={values} table={table} across={shown.x} />
      <p class="axes">
        {select('Across', 'x', [...across.map((i) => [i, table.given.columns[i].name]), [-1, 'Row']], Number)}
        {numbers.length > 1 &&
          select(
            'Up',
            'output',
            numbers.map(({ name }) => [name, labelOf(name)]),
            String,
          )}
      </p>
    </div>
  )
}

/** `values`: the values of the output `name` by row. */
function Against({ name, values, table, across }) {
  const { series, step, isJoined } = useMemo(() => against(values, table, across), [values, table, across])
  const column = table.given.columns[across]
  const isTime = column !== undefined && isDate(column)
  const unit = isTime ? 1 / 1000 : 1
  const all = series.flatMap(({ x }) => x).map((at) => at * unit)
  const [xLabel, yLabel] = [column?.name ?? 'Row', labelWithUnit(name, { isShort: true })]
  const up = (value) => inUnit(name, value)
  const ends = extent(values).map(up)
  const drawn = series.map(({ x, y }) => ({ x: x.map((at) => at * unit), y: y.map(up) }))
  const rows = () =>
    series.flatMap((one, s) =>
      one.rows.map((row, i) => [
        isTime ? dateText(one.x[i]) : one.x[i],
        drawn[s].y[i],
        ...(series.length > 1 ? [one.name] : []),
        table.heading === null ? table.numberOf(row) : table.nameOf(row),
      ]),
    )
  const title = `${labelOf(name)} against ${column === undefined ? 'the row' : xLabel}`
  return (
    <div>
      <Chart
        title={title}
        xLabel={xLabel}
        yLabel={yLabel}
        isTime={isTime}
        height={300}
        {...(column === undefined ? { counts: 'x', ...namedAxis(table, 'Row') } : {})}
        summary={`${title}: ${plural(values.length, 'row')}, from ${short(ends[0])} to ${short(ends[1])}.`}
        range={{ x: around(all, 0.03), y: around(ends, 0.1) }}
        marks={series.length > 1 ? series.map((one, i) => ({ label: one.name, color: colors[i] })) : []}
        layers={drawn.flatMap(({ x, y }, i) => [
          ...(isJoined ? [path(x, y, { color: colors[i], dash: dashOf(i) })] : []),
          dots(x, y, { color: colors[i], size: x.length > 500 ? 2 : 4, alpha: 0.9 }),
        ])}
        numbers={() => [
          [
            xLabel,
            yLabel,
            ...(series.length > 1 ? [table.given.columns[seriesOf(table)].name] : []),
            table.heading ?? 'Row',
          ],
          ...rows(),
        ]}
      />
      {step > 1 && <p class="hint">One row in {whole(step)} is drawn; the table has all of them.</p>}
    </div>
  )
}
