/** Rating migration: the matrix as a heat map, and the probability of the last rating by period. */
import { useState } from 'preact/hooks'
import type { MlCreditMigrationData } from '../../../../clients/typescript/types.ts'
import type { SentTable, TableSpec } from '../data/shapes.ts'
import { models } from '../kernels/models.ts'
import { labelOf } from '../labels.ts'
import { plural, whole } from '../numbers.ts'
import type { PictureProps } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { HeatMap } from '../pictures/heat-map.tsx'
import type { Ink } from '../pictures/palette.ts'

export const lead =
  'To estimate how ratings move in a period, and to project that: cumulative probabilities of default by rating.'

export const table: TableSpec = { kind: 'transitions', field: 'transitions' }
export const { preview, model } = models.mlCreditMigration
/** The probabilities of the last rating after all periods, from the first rating and from the last but one. */
export function headline({ multi_period_matrix: matrix }: MlCreditMigrationData, table: SentTable) {
  if (matrix.length <= 1) return []
  const names = namesOf(table, matrix.length)
  const cell = (name: string, from: number) => ({
    name,
    label: `${names.at(from)} → ${names.at(-1)}`,
    value: matrix.at(from)!.at(-1)!,
    unit: 'probability over all periods',
  })
  return matrix.length === 2 ? [cell('first', 0)] : [cell('first', 0), cell('next', -2)]
}

/** Invented counts of the moves of one year, like those of published studies. */
export const sample = {
  transitions: `from, AAA, AA, A, BBB, BB, B, CCC, D
AAA, 885, 82, 10, 2, 1, 0, 0, 0
AA, 11, 1790, 150, 12, 3, 2, 0, 1
A, 3, 62, 2780, 148, 14, 6, 1, 2
BBB, 1, 8, 110, 2490, 92, 18, 4, 6
BB, 0, 2, 9, 98, 1390, 120, 14, 15
B, 0, 1, 4, 11, 84, 1460, 96, 62
CCC, 0, 0, 1, 3, 8, 42, 160, 78
D, 0, 0, 0, 0, 0, 0, 0, 0`,
  periods: 10,
}

export const colors: readonly Ink[] = ['first', 'second', 'third', 'fourth', 'fifth']

const matrixNames = ['transition_matrix', 'multi_period_matrix'] as const

type Props = PictureProps<
  Parameters<typeof preview>[0],
  MlCreditMigrationData,
  ReturnType<typeof model>,
  SentTable
>

export function Picture({ values, data, model, table }: Props) {
  const size = data.transition_matrix.length
  const names = namesOf(table, size)
  const [which, setWhich] = useState<(typeof matrixNames)[number]>('multi_period_matrix')
  const span = `over ${which === 'transition_matrix' ? 'one period' : plural(values.periods, 'period')}`
  const lines = model.curves.slice(0, -1).map((y, i) => ({
    label: names[i],
    y: model.shown.map((place) => y[place]),
    color: colors[i % colors.length],
  }))
  return (
    <div class="charts">
      <div>
        <p class="choice" role="group" aria-label="Matrix shown">
          {matrixNames.map((name) => (
            <button
              type="button"
              class="small quiet"
              aria-pressed={which === name}
              onClick={() => setWhich(name)}
            >
              {name === 'transition_matrix' ? 'One period' : plural(values.periods, 'period')}
            </button>
          ))}
        </p>
        <HeatMap title={`Transition probabilities ${span}`} span={span} matrix={data[which]} names={names} />
      </div>
      {table.moves !== undefined && (
        <p class="hint">
          {plural(table.moves, 'move')} counted
          {table.outside ? `; ${whole(table.outside)} from or to other ratings left out` : ''}.
        </p>
      )}
      {lines.length > 0 && lines.length <= 30 && (
        <Chart
          title={`Probability of ${names.at(-1)} over the periods`}
          summary={`Cumulative probability of rating ${names.at(-1)} after ${plural(values.periods, 'period')}, from each rating.`}
          height={320}
          x={model.shown.map((place) => model.periods[place])}
          xLabel="Period"
          counts="x"
          yLabel="Probability"
          lines={lines}
          numbers={() => [
            ['Period', ...names.slice(0, -1)],
            ...model.periods.map((period) => [period, ...model.curves.slice(0, -1).map((y) => y[period])]),
          ]}
        />
      )}
    </div>
  )
}

/** The names of the ratings in the table, or their numbers. */
export const namesOf = ({ labels }: SentTable, size: number): readonly string[] =>
  labels?.length === size ? labels : Array.from({ length: size }, (_, i) => String(i + 1))

/** The matrices of the answer as tables. */
export const matrices = (data: MlCreditMigrationData, table: SentTable) =>
  matrixNames.map((name) => ({
    title: labelOf(name),
    rows: data[name],
    names: namesOf(table, data[name].length),
  }))
