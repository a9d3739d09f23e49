/** Rating migration: the matrix as a heat map, and the probability of the last rating over the periods. */
import { html, useRef, useState } from '../html.js'
import { models } from '../kernels/models.js'
import { labelOf } from '../labels.js'
import { plural, short, whole } from '../numbers.js'
import { Chart, fileName } from '../pictures/chart.js'
import { fontFamily, palette, useScheme } from '../pictures/palette.js'
import { saveSvg } from '../save.js'

export const table = { kind: 'transitions', field: 'transitions' }
export const { preview, model } = models.mlCreditMigration
/** Of the last rating, over all the periods. */
export const headline = ({ multi_period_matrix: matrix }) =>
  matrix?.length > 1
    ? [
        { name: 'first', label: 'First rating to last', value: matrix[0].at(-1) },
        { name: 'next', label: 'Last but one to last', value: matrix.at(-2).at(-1) },
      ]
    : []

/** Counts of one year, in the shape of published studies. */
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

const MOST_CELLS = 26
export const colors = ['first', 'third', 'fourth', 'second', 'muted']

export function Picture({ values, data, model, table }) {
  const size = data.transition_matrix.length
  const names = namesOf(table, size)
  const [which, setWhich] = useState('multi_period_matrix')
  const lines = model.curves.slice(0, -1).map((y, i) => ({
    label: names[i],
    y: model.shown.map((place) => y[place]),
    color: colors[i % colors.length],
    dash: i < colors.length ? undefined : [6, 4],
  }))
  return html`<div class="charts">
    <div>
      <p class="choice" role="group" aria-label="Matrix shown">
        ${['transition_matrix', 'multi_period_matrix'].map(
          (
            name,
          ) => html`<button type="button" class="small quiet" aria-pressed=${which === name} onClick=${() => setWhich(name)}>
            ${name === 'transition_matrix' ? 'One period' : plural(values.periods, 'period')}
          </button>`,
        )}
      </p>
      <${HeatMap} title=${`Transition probabilities over ${which === 'transition_matrix' ? 'one period' : plural(values.periods, 'period')}`} matrix=${data[which]} names=${names} />
    </div>
    ${table?.moves !== undefined && html`<p class="hint">${plural(table.moves, 'move')} counted${table.outside > 0 ? `; ${whole(table.outside)} from or to other ratings left out` : ''}.</p>`}
    ${
      lines.length > 0 &&
      lines.length <= 30 &&
      html`<${Chart}
        title=${`Probability of ${names.at(-1)} over the periods`}
        summary=${`Cumulative probability of rating ${names.at(-1)} after ${plural(values.periods, 'period')}, from each rating.`}
        height=${320}
        x=${model.shown.map((place) => model.periods[place])}
        xLabel="Period"
        counts="x"
        yLabel="Probability"
        lines=${lines}
        numbers=${() => [['Period', ...names.slice(0, -1)], ...model.periods.map((period) => [period, ...model.curves.slice(0, -1).map((y) => y[period])])]}
      />`
    }
  </div>`
}

const letters = ['AAA', 'AA', 'A', 'BBB', 'BB', 'B', 'CCC', 'CC', 'C']

/** The names in the table; else letters as rating agencies use them, the last one D. */
export function namesOf(table, size) {
  if (table?.labels?.length === size) return table.labels
  return Array.from({ length: size }, (_, i) =>
    i === size - 1 ? 'D' : size <= 10 ? letters[i] : String(i + 1),
  )
}

export function HeatMap({ title, matrix, names }) {
  const svg = useRef(null)
  const [pointed, setPointed] = useState(null)
  const isDark = useScheme()
  const ink = palette()
  // Black or white text has a contrast of at least 4.5 to every shade; the shade at which they change is that of most contrast.
  const [weak, strong, change] = isDark ? ['#fff', '#000', 0.312] : ['#000', '#fff', 0.663]
  const shown = matrix.slice(0, MOST_CELLS)
  const cell = shown.length > 12 ? 26 : 46
  const margin = 48
  const side = margin + shown.length * cell
  const point = (event) => setPointed(event.target.dataset.cell?.split(' ').map(Number) ?? null)
  const percent = (p) => (p === 0 ? '' : p < 0.0005 ? '<0.1' : (100 * p).toFixed(shown.length > 12 ? 0 : 1))
  return html`<figure class="chart">
    <figcaption>
      <span>${title} (%)</span>
      ${pointed !== null && pointed[0] < shown.length && html`<span class="hint">${names[pointed[0]]} → ${names[pointed[1]]}: ${short(100 * matrix[pointed[0]][pointed[1]])} %</span>`}
      <span class="tools"><button type="button" class="small quiet" aria-label=${`Save “${title}” as SVG`} onClick=${() => saveSvg(svg.current, fileName(title))}>SVG</button></span>
    </figcaption>
    <div class="heat" tabindex="0" role="group" aria-label=${`${title}; the same numbers are in the result table`}>
      <svg ref=${svg} viewBox=${`0 0 ${side} ${side}`} width=${side} role="img" aria-label=${title} onPointerMove=${point} onPointerLeave=${() => setPointed(null)} font-family=${fontFamily()} font-size=${cell > 30 ? 12 : 9}>
        ${shown.map(
          (
            row,
            i,
          ) => html`<text x=${margin - 6} y=${margin + (i + 0.5) * cell} text-anchor="end" dominant-baseline="central" fill=${ink.ink}>${names[i]}</text>
            <text x=${margin + (i + 0.5) * cell} y=${margin - 8} text-anchor="middle" fill=${ink.ink}>${names[i]}</text>
            ${row.slice(0, MOST_CELLS).map(
              (
                p,
                j,
              ) => html`<rect x=${margin + j * cell} y=${margin + i * cell} width=${cell - 2} height=${cell - 2} rx="3" fill=${ink.first} fill-opacity=${(0.06 + 0.94 * p ** 0.5).toFixed(2)} data-cell=${`${i} ${j}`} />
                <text x=${margin + (j + 0.5) * cell - 1} y=${margin + (i + 0.5) * cell - 1} text-anchor="middle" dominant-baseline="central" pointer-events="none" fill=${p > change ? strong : weak}>${percent(p)}</text>`,
            )}`,
        )}
      </svg>
    </div>
    ${matrix.length > MOST_CELLS && html`<p class="hint">The first ${MOST_CELLS} of ${whole(matrix.length)} ratings.</p>`}
  </figure>`
}

/** The matrices of the answer as tables. */
export const matrices = (data, table) =>
  ['transition_matrix', 'multi_period_matrix'].map((name) => ({
    title: labelOf(name),
    rows: data[name],
    names: namesOf(table, data[name].length),
  }))
