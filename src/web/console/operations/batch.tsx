/** The batch: a table of its results, and pictures of the successes by path and of the first number of each result. */
// @ts-nocheck: to be converted
import forms from '../forms.js'
import { inUnit, labelWithUnit } from '../greek-units.ts'
import { sampleOf } from '../kernels/row-results.ts'
import { plural, short, whole } from '../numbers.ts'
import { creditsFor } from '../offers.ts'
import { Chart } from '../pictures/chart.tsx'
import { dots, pairedBars } from '../pictures/layers.ts'
import { pairMarks } from '../pictures/marks.ts'
import { around, from0 } from '../pictures/sampling.ts'
import { VirtualTable } from '../virtual-table.tsx'

export const preview = null
export const headline = ({ results }) => [
  {
    name: 'succeeded',
    label: `Successes among ${plural(results.length, 'call')}`,
    value: results.filter(({ success }) => success).length,
  },
]

/** Shows successes and failures by path, and the first number of each success in the order of the calls. */
export function Picture({ data: { results }, values: { calls } }) {
  const numbers = results.map(
    ({ data }) => Object.values(data ?? {}).find((value) => typeof value === 'number') ?? Number.NaN,
  )
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

/** `{ path, title, succeeded, failed, credits }` for each path, in the order of their first calls. */
function byPath(calls, results) {
  const paths = [...new Set(calls.map(({ path }) => path))]
  return paths.map((path) => {
    const items = results.filter((_, i) => calls[i].path === path)
    const succeeded = items.filter(({ success }) => success).length
    const title = forms.find((form) => form.path === path)?.title ?? path
    return { path, title, succeeded, failed: items.length - succeeded, credits: succeeded * creditsFor(path) }
  })
}

function Paths({ paths }) {
  const sum = (name) => paths.reduce((total, path) => total + path[name], 0)
  const of = (name) => paths.map((path) => path[name])
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
        marks={pairMarks(['Successes', 'Failures'], colors)}
        layers={[pairedBars(of('succeeded'), of('failed'), colors)]}
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

/** A chart of numbers in their order. `of`: the noun for the items that have them; `sample`: the value of sampleOf. */
function Dots({ title, of, xLabel, yLabel, count, sample: { extent, step, places, shown } }) {
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

const colors = ['third', 'second']

export function Result({ data: { results } }) {
  const columns = [
    { name: 'Answer', text: (row) => (results[row].success ? 'success' : 'failure') },
    {
      name: 'Values',
      text: (row) => (results[row].success ? inWords(results[row].data) : results[row].message),
    },
  ]
  return (
    <VirtualTable
      label="Result of each call"
      columns={columns}
      order={Uint32Array.from(results, (_, i) => i)}
      isMarked={(row) => !results[row].success}
    />
  )
}

const inWords = (data) =>
  Object.entries(data)
    .slice(0, 5)
    .map(
      ([name, value]) =>
        `${labelWithUnit(name, { isShort: true })} ${typeof value === 'number' ? short(inUnit(name, value)) : typeof value === 'object' ? '…' : value}`,
    )
    .join(' · ')
