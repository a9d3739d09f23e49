/** The batch: a table of its results, and pictures of the successes by path and of the first number of each result. */
import forms from '../forms.js'
import { inUnit, labelWithUnit } from '../greek-units.ts'
import { sampleOf } from '../kernels/row-results.ts'
import { plural, short, whole } from '../numbers.ts'
import { creditsFor } from '../offers.ts'
import type { PictureProps, Values } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { dots, pairedBars } from '../pictures/layers.ts'
import { pairMarks } from '../pictures/marks.ts'
import { around, from0 } from '../pictures/sampling.ts'
import type { Envelope } from '../replies.ts'
import { VirtualTable } from '../virtual-table.tsx'

interface Calls {
  readonly calls: readonly { readonly path: string }[]
}

/** What each call would get as a reply of its own. */
interface Results {
  readonly results: readonly Envelope<Values>[]
}

export const headline = ({ results }: Results) => [
  {
    name: 'succeeded',
    label: `Successes among ${plural(results.length, 'call')}`,
    value: results.filter(({ success }) => success).length,
  },
]

/** Shows successes and failures by path, and the first number of each success in the order of the calls. */
export function Picture({ data: { results }, values: { calls } }: PictureProps<Calls, Results>) {
  const numbers = results.map((result) => (result.success ? firstOf(result.data) : Number.NaN))
  const sample = sampleOf(numbers)
  return (
    <div class="charts">
      <Paths paths={byPath(calls, results)} />
      {sample.shown.length > 0 && (
        <Dots
          title="First number of each answer"
          of={plural(results.length, 'call')}
          xLabel="Call"
          yLabel="Value"
          count={results.length}
          sample={sample}
        />
      )}
    </div>
  )
}

const firstOf = (data: Values): number =>
  Object.values(data).find((value) => typeof value === 'number') ?? Number.NaN

/** The calls of one path. */
interface PathCalls {
  readonly path: string
  readonly title: string
  readonly succeeded: number
  readonly failed: number
  readonly credits: number
}

/** The calls of each path, in the order of their first calls. */
function byPath(calls: Calls['calls'], results: Results['results']): PathCalls[] {
  const paths = [...new Set(calls.map(({ path }) => path))]
  return paths.map((path) => {
    const items = results.filter((_, i) => calls[i].path === path)
    const succeeded = items.filter(({ success }) => success).length
    const title = forms.find((form) => form.path === path)?.title ?? path
    return { path, title, succeeded, failed: items.length - succeeded, credits: succeeded * creditsFor(path) }
  })
}

type Count = 'succeeded' | 'failed' | 'credits'

function Paths({ paths }: { readonly paths: readonly PathCalls[] }) {
  const sum = (name: Count) => paths.reduce((total, path) => total + path[name], 0)
  const of = (name: Count) => paths.map((path) => path[name])
  return (
    <div>
      <Chart
        title="Calls by computation"
        summary={`${whole(sum('succeeded'))} successes and ${plural(sum('failed'), 'failure')}, ${plural(sum('credits'), 'credit')}.`}
        xLabel="Computation"
        yLabel="Calls"
        counts="xy"
        xText={(place) => (paths[place - 1]?.title ?? '').replace(' ', '\n')}
        xLines={2}
        range={{ x: [0.5, paths.length + 0.5], y: from0([...of('succeeded'), ...of('failed')]) }}
        marks={pairMarks(series, colors)}
        layers={[pairedBars(of('succeeded'), of('failed'), { series, colors })]}
        numbers={() => [
          ['Path', 'Successes', 'Failures', 'Credits'],
          ...paths.map(({ path, succeeded, failed, credits }) => [path, succeeded, failed, credits]),
        ]}
      />
      <p class="hint">
        {paths.map(({ title, credits }) => `${title}: ${plural(credits, 'credit')}`).join('; ')}.
      </p>
    </div>
  )
}

interface DotsProps {
  readonly title: string
  /** The items that have the numbers, with their count. */
  readonly of: string
  readonly xLabel: string
  readonly yLabel: string
  readonly count: number
  readonly sample: ReturnType<typeof sampleOf>
}

/** A chart of numbers in their order. */
function Dots({ title, of, xLabel, yLabel, count, sample }: DotsProps) {
  const { extent, step, places, shown } = sample
  return (
    <div>
      <Chart
        title={title}
        xLabel={xLabel}
        yLabel={yLabel}
        counts="x"
        summary={`${title}: ${of}, from ${short(extent[0])} to ${short(extent[1])}.`}
        range={{ x: [0.5, count + 0.5], y: around(extent, 0.1) }}
        layers={[dots(places, shown, { size: shown.length > 500 ? 2 : 4, alpha: 0.9 })]}
        numbers={() => [[xLabel, yLabel], ...places.map((place, i) => [place, shown[i]])]}
      />
      {step > 1 && (
        <p class="hint">
          One {xLabel.toLowerCase()} in {whole(step)} is drawn; the table has all of them.
        </p>
      )}
    </div>
  )
}

const colors = ['third', 'second'] as const
const series = ['Successes', 'Failures']

export function Result({ data: { results } }: { readonly data: Results }) {
  const columns = [
    { name: 'Answer', text: (row: number) => (results[row].success ? 'success' : 'failure') },
    {
      name: 'Values',
      text: (row: number) => inWords(results[row]),
      mark: (row: number) => (results[row].success ? null : ''),
    },
  ]
  return (
    <VirtualTable
      label="Result of each call"
      columns={columns}
      order={Uint32Array.from(results, (_, i) => i)}
      names={{ name: 'Call', text: (row) => row + 1 }}
    />
  )
}

const inWords = (result: Results['results'][number]): string =>
  result.success
    ? Object.entries(result.data)
        .slice(0, 5)
        .map(
          ([name, value]) =>
            `${labelWithUnit(name, { isShort: true })} ${typeof value === 'number' ? short(inUnit(name, value)) : typeof value === 'object' ? '…' : value}`,
        )
        .join(' · ')
    : result.message
