/** Many rows of one operation: a table whose columns are its fields, and a picture of an output against a column. */
import { useMemo, useState } from 'preact/hooks'
import type { Form, FormField } from '../../../derive/forms.ts'
import { choicesOf, type TableSpec } from '../data/mapping.ts'
import type { SentTable } from '../data/shapes.ts'
import { isDate } from '../data/table.ts'
import { inUnit, labelWithUnit } from '../greek-units.ts'
import { acrossOf, against, seriesOf } from '../kernels/against.ts'
import { type OutputColumn, type RowsResult, rowResults } from '../kernels/row-results.ts'
import { labelOf } from '../labels.ts'
import { plural, short, whole } from '../numbers.ts'
import type { PictureProps, Values } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { dots, path } from '../pictures/layers.ts'
import { namedAxis, ofRows } from '../pictures/named-axis.ts'
import type { Ink } from '../pictures/palette.ts'
import { around, extent } from '../pictures/sampling.ts'
import { dateText } from '../times.ts'

/** The table of an operation's form. */
export const tableOf = ({ fields }: Form): TableSpec => ({
  kind: 'rows',
  fields: fields.map(({ name }) => name),
  choices: choicesOf(fields),
  sample: sampleOf(fields),
})

export const { model, resultOf } = rowResults
/** Whether the results are shown beside the rows of the table. */
export const byRow = true

export const headline = ({ rows, succeeded }: RowsResult) => [
  { name: 'succeeded', label: `Successes among ${plural(rows, 'row')}`, value: succeeded },
  ...(succeeded < rows ? [{ name: 'failed', label: 'Failures, not charged', value: rows - succeeded }] : []),
]

const SAMPLE_ROWS = 9

/** A table of the required fields, in which the field that the example varies rises from row to row. */
function sampleOf(fields: readonly FormField[]): string {
  const shown = fields.filter(({ required }) => required)
  const row = (i: number) =>
    shown.map(({ example }) =>
      Array.isArray(example)
        ? Number((example[0] * (0.8 + (0.4 * i) / (SAMPLE_ROWS - 1))).toPrecision(6))
        : example,
    )
  return [shown.map(({ name }) => name), ...Array.from({ length: SAMPLE_ROWS }, (_, i) => row(i))]
    .map((cells) => cells.join(', '))
    .join('\n')
}

const colors: readonly Ink[] = ['first', 'second', 'third', 'fourth']

/** The output on the y axis, and the number of the column on the x axis, or -1 for row numbers. */
interface Axes {
  readonly output: string
  readonly x: number
}

type Props = PictureProps<Values, RowsResult, ReturnType<typeof model>, SentTable>

/** A chart of an output against a column, which the person chooses; rows with different words have different marks. */
export function Picture({ data, table }: Props) {
  const [chosen, setChosen] = useState<Axes | null>(null)
  const numbers = data.outputs.filter(({ words }) => words === null)
  const across = acrossOf(table)
  const places = [...across, -1]
  const output = numbers.find(({ name }) => name === chosen?.output) ?? numbers[0]
  if (output === undefined) return null
  const shown = {
    output: output.name,
    x: places.find((place) => place === chosen?.x) ?? places[0],
  }
  return (
    <div>
      <Against output={output} table={table} across={shown.x} />
      <p class="axes">
        <Select
          label="x"
          value={shown.x}
          options={places.map((place) => [place, table.given.columns[place]?.name ?? 'Row'])}
          onChange={(text) => setChosen({ ...shown, x: Number(text) })}
        />
        {numbers.length > 1 && (
          <Select
            label="y"
            value={shown.output}
            options={numbers.map(({ name }) => [name, labelOf(name)])}
            onChange={(text) => setChosen({ ...shown, output: text })}
          />
        )}
      </p>
    </div>
  )
}

interface SelectProps {
  readonly label: string
  readonly value: string | number
  readonly options: readonly (readonly [value: string | number, text: string])[]
  onChange(text: string): void
}

const Select = ({ label, value, options, onChange }: SelectProps) => (
  <label>
    {label}
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {options.map(([one, text]) => (
        <option value={one} selected={one === value}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

interface AgainstProps {
  readonly output: OutputColumn
  readonly table: SentTable
  /** The number of the column on the x axis, or -1 for row numbers. */
  readonly across: number
}

function Against({ output: { name, values }, table, across }: AgainstProps) {
  const { series, step, isJoined } = useMemo(() => against(values, table, across), [values, table, across])
  const column = across < 0 ? undefined : table.given.columns[across]
  const isTime = column !== undefined && isDate(column)
  const unit = isTime ? 1 / 1000 : 1
  const all = series.flatMap(({ x }) => x).map((at) => at * unit)
  const [xLabel, yLabel] = [column?.name ?? 'Row', labelWithUnit(name, { isShort: true })]
  const up = (value: number) => inUnit(name, value)
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
        marks={series.length > 1 ? series.map((one, i) => ({ label: one.name ?? '', color: colors[i] })) : []}
        layers={drawn.flatMap(({ x, y }, i) => [
          ...(isJoined ? [path(x, y, colors[i])] : []),
          dots(x, y, {
            color: colors[i],
            size: x.length > 500 ? 2 : 4,
            alpha: 0.9,
            series: series[i].name ?? '',
            ...ofRows(table, (place) => series[i].rows[place]),
          }),
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
