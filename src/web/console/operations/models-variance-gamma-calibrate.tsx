/** Variance Gamma calibration: quoted and fitted volatilities by strike and expiry, by one fit and by one for each expiry. */
import type { ModelsVarianceGammaCalibrateData } from '../../../../clients/typescript/types.ts'
import type { Form } from '../../../derive/forms.ts'
import { calibration } from '../../../numerics/results/variance-gamma.ts'
import { choicesOf, type TableSpec } from '../data/mapping.ts'
import type { SentTable } from '../data/shapes.ts'
import { isDate } from '../data/table.ts'
import { quantities } from '../greek-units.ts'
import { datesOf, type Smile, type SmileFit, smiles } from '../kernels/calibration.ts'
import { Table } from '../list-table.tsx'
import { plural, short } from '../numbers.ts'
import type { PictureProps, Values } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { dots, horizontal } from '../pictures/layers.ts'
import { ofRows } from '../pictures/named-axis.ts'
import type { Ink } from '../pictures/palette.ts'
import { around } from '../pictures/sampling.ts'
import { dateText } from '../times.ts'

export const lead =
  'To fit Variance Gamma to an option chain: the parameters that reproduce its smiles, for all expiries at once and for each alone.'

/** The table of the quotes: each row is an object, and each column one of its fields. */
export function tableOf({ fields }: Form): TableSpec {
  const { name: field, items } = fields.find(({ kind }) => kind === 'records')!
  return {
    kind: 'records',
    field,
    fields: items.map(({ name }) => name),
    needed: items.filter(({ required }) => required).map(({ name }) => name),
    choices: choicesOf(items),
    either: ['implied_volatility', 'price'],
  }
}

export const preview = calibration
export const model = smiles
export const isLong = true
export const headline = (data: ModelsVarianceGammaCalibrateData) =>
  quantities(['sigma', 'theta_vg', 'nu', 'rmse'], data)

/** Invented volatilities of an index: three expiries of seven strikes. */
export const sample = {
  quotes: [0.1, 0.5, 1.5].flatMap((T) =>
    [80, 90, 95, 100, 105, 110, 120].map((K) => {
      const x = Math.log(K / 100) / Math.sqrt(T + 0.2)
      return { K, T, implied_volatility: Number((0.2 - 0.12 * x + 0.15 * x * x).toFixed(4)) }
    }),
  ),
  per_maturity: true,
}

const COLORS: readonly Ink[] = ['first', 'second', 'third', 'fourth', 'fifth']

/** A fit, in words and by the smiles that have it. */
interface ShownFit {
  readonly title: string
  of(smile: Smile): SmileFit | null
}

const FITS: readonly ShownFit[] = [
  { title: 'one fit to all expiries', of: ({ all }) => all },
  { title: 'a fit to each expiry', of: ({ own }) => own },
]

type Props = PictureProps<Values, ModelsVarianceGammaCalibrateData, ReturnType<typeof model>, SentTable>

export function Picture({ data, model: { strikes, smiles }, table }: Props) {
  const names = namesOf(smiles, table)
  const fits = FITS.filter(({ of }) => smiles.some((smile) => of(smile) !== null))
  const drawn = smiles.flatMap((smile) => [
    ...smile.quoted,
    ...fits.flatMap(({ of }) => of(smile)?.curve ?? []),
  ])
  const errors = smiles.flatMap((smile) => fits.flatMap(({ of }) => of(smile)?.residuals ?? []))
  const shown = { strikes, smiles, names, table }
  return (
    <>
      <div class="charts">
        {fits.map((fit) => (
          <Smiles {...shown} fit={fit} range={around(drawn, 0.08)} />
        ))}
        {fits.map((fit) => (
          <Residuals {...shown} fit={fit} range={around([0, ...errors], 0.1)} />
        ))}
      </div>
      {data.maturities === undefined ? (
        smiles.length > 1 && (
          <p class="hint">Set “Fit each expiry too” to Yes to see a fit of each expiry beside this one.</p>
        )
      ) : (
        <Parameters data={data} smiles={smiles} names={names} />
      )}
    </>
  )
}

/** The names of the expiries: their dates, if a column of the table has them, or their times. */
function namesOf(smiles: readonly Smile[], { given, rowOf }: SentTable): string[] {
  for (const column of given.columns.filter(isDate)) {
    const dates = datesOf(smiles, (quote) => column.values[rowOf(quote)])
    if (dates !== null) return dates.map((date) => dateText(date))
  }
  return smiles.map(({ maturity }) => plural(Number(maturity.toPrecision(4)), 'year'))
}

interface FitProps {
  readonly strikes: readonly number[]
  readonly smiles: readonly Smile[]
  /** Those of the expiries. */
  readonly names: readonly string[]
  readonly table: SentTable
  readonly fit: ShownFit
  readonly range: readonly [number, number]
}

/** The ink of each smile: that of its curve; those without one are grey. */
function inksOf(smiles: readonly Smile[]): Ink[] {
  const drawn = smiles.filter(({ all }) => all.curve !== null)
  return smiles.map((smile) => COLORS[drawn.indexOf(smile)] ?? 'muted')
}

function Smiles({ strikes, smiles, names, table, fit, range }: FitProps) {
  const inks = inksOf(smiles)
  const curves = smiles.flatMap((smile, i) => {
    const curve = fit.of(smile)?.curve
    return curve ? [{ label: names[i], y: curve, color: inks[i] }] : []
  })
  return (
    <Chart
      title={`Implied volatility, ${fit.title}`}
      summary={`Quoted volatilities as dots and fitted ones as lines, of ${plural(curves.length, 'time')} to expiry.`}
      height={300}
      xLabel="Strike price"
      yLabel="Implied volatility, per year"
      x={strikes}
      range={{ x: around(strikes, 0.03), y: range }}
      lines={curves}
      layers={smiles.flatMap((smile, i) =>
        smile.all.curve === null
          ? []
          : [
              dots(smile.strikes, smile.quoted, {
                color: inks[i],
                size: 4,
                alpha: 0.9,
                series: names[i],
                nameOf: (place) => `${names[i]}, quoted (${table.nameOf(smile.quotes[place])})`,
                rowOf: ofRows(table, (place) => smile.quotes[place]).rowOf,
              }),
            ],
      )}
    />
  )
}

function Residuals({ strikes, smiles, names, table, fit, range }: FitProps) {
  const inks = inksOf(smiles)
  const shown = smiles.flatMap((smile, i) => {
    const found = fit.of(smile)
    return found === null ? [] : [{ smile, residuals: found.residuals, name: names[i], color: inks[i] }]
  })
  return (
    <Chart
      title={`Residuals, ${fit.title}`}
      summary={`Fitted less quoted volatility in basis points; the root of their mean square is ${short(rms(shown.flatMap(({ residuals }) => residuals)))}.`}
      height={260}
      xLabel="Strike price"
      yLabel="Fitted less quoted, bp of volatility"
      range={{ x: around(strikes, 0.03), y: range }}
      marks={shown
        .filter(({ color }) => color !== 'muted')
        .map(({ name, color }) => ({ label: name, color }))}
      layers={[
        horizontal(0, { color: 'muted' }),
        ...shown.map(({ smile, residuals, name, color }) =>
          dots(smile.strikes, residuals, {
            color,
            size: 4,
            alpha: 0.9,
            series: name,
            nameOf: (place) => `${name} (${table.nameOf(smile.quotes[place])})`,
            rowOf: ofRows(table, (place) => smile.quotes[place]).rowOf,
          }),
        ),
      ]}
      numbers={() => [
        ['Expiry', 'Time to maturity', 'Strike price', 'Quoted volatility', 'Residual in basis points'],
        ...shown.flatMap(({ smile, residuals, name }) =>
          smile.strikes.map((strike, i) => [name, smile.maturity, strike, smile.quoted[i], residuals[i]]),
        ),
      ]}
    />
  )
}

const rms = (values: readonly (number | null)[]): number => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? 0 : Math.sqrt(known.reduce((sum, one) => sum + one * one, 0) / known.length)
}

interface ParametersProps {
  readonly data: ModelsVarianceGammaCalibrateData
  readonly smiles: readonly Smile[]
  readonly names: readonly string[]
}

/** The parameters of each expiry beside those of all. */
function Parameters({ data, smiles, names }: ParametersProps) {
  const inWords = (value: number | undefined) =>
    value === undefined ? '–' : short(Number(value.toPrecision(5)))
  const error = (fits: readonly (SmileFit | null)[]) =>
    short(Number(rms(fits.flatMap((fit) => fit?.residuals ?? [])).toPrecision(3)))
  return (
    <Table
      label="Parameters by expiry"
      columns={[
        'Expiry',
        '(Volatility)',
        '(Drift)',
        '(Variance rate)',
        '(Error, bp)',
        '(Error of one fit, bp)',
      ]}
      rows={[
        ...data.maturities!.map(({ sigma, theta_vg, nu }, i) => [
          names[i],
          inWords(sigma),
          inWords(theta_vg),
          inWords(nu),
          smiles[i].own === null ? 'too few quotes' : error([smiles[i].own]),
          error([smiles[i].all]),
        ]),
        [
          'All expiries',
          inWords(data.sigma),
          inWords(data.theta_vg),
          inWords(data.nu),
          '',
          error(smiles.map(({ all }) => all)),
        ],
      ]}
    />
  )
}
