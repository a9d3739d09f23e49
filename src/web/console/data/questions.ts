/** The questions about what changes a result and is not proven by the table, with the answers that the person can choose. */
import { labelOf } from '../labels.ts'
import { plural, short, whole } from '../numbers.ts'
import { extent } from '../pictures/sampling.ts'
import {
  closed,
  fieldOfDates,
  isMatrix,
  isNeeded,
  isWeights,
  type Mapping,
  MOST_MEANINGS,
  rivalOf,
  type TableSpec,
  underlyingIn,
  withField,
  withRolesTurned,
} from './mapping.ts'
import {
  absorbingQuestion,
  acrossQuestion,
  agenciesQuestion,
  emptyQuestion,
  lastQuestion,
  orderQuestion,
  twiceQuestion,
  withdrawnQuestion,
} from './rating-questions.ts'
import { type Column, cellOf, keptRows, numberOf, type Table, wordsIn } from './table.ts'
import { areBins, inUnit, isStrike, possibleUnits, sumOf, type Unit, unitsOf } from './units.ts'
import { areaUnderRoc, type FieldColumn, type Meant, type Question } from './values.ts'

/** The open questions about a table. */
export function questionsOf(spec: TableSpec, all: Table, mapping: Mapping): Question[] {
  const table = keptRows(all, mapping.only)
  const isOfMatrix = isMatrix(spec, mapping)
  const given = isOfMatrix ? [] : Object.entries(mapping.fields)
  const fields = given.map(([field, i]) => ({ field, column: table.columns[i] }))
  const used = new Set([mapping.names, ...(isOfMatrix ? mapping.used : given.map(([, i]) => i))])
  const asking = { spec, table, mapping }
  return [
    ...readings(table, [...used]),
    ...binned(asking),
    ...openQuestions(asking, isOfMatrix),
    ...fields.filter(({ field }) => mapping.units[field] === null).map((one) => unit(asking, one)),
    ...fields.filter(({ field }) => isOpenClass(asking, field)).map((one) => classes(asking, one)),
    ...(mapping.isTurned === null && spec.turns !== undefined ? [direction(asking, spec.turns)] : []),
  ]
}

/** A question for all columns whose cells can be read in the same two ways. */
function readings({ columns }: Table, used: readonly number[]): Question[] {
  const doubtful = used.flatMap((i) => {
    const { doubt = null, name = '' } = columns[i] ?? {}
    return doubt === null ? [] : [{ i, doubt, name, kind: doubt.types.toSorted().join(' ') }]
  })
  return [...new Set(doubtful.map(({ kind }) => kind))].map((kind) => {
    const places = doubtful.filter((one) => one.kind === kind)
    const [{ doubt, name }] = places
    const more = places.length > 1 ? `, and likewise in ${plural(places.length - 1, 'more column')}` : ''
    return {
      key: `types ${kind}`,
      text: `How is “${doubt.cell}” in ${name} read${more}?`,
      answers: doubt.types.map((type, i) => ({
        label: String(doubt.readings[i]),
        effect: '',
        types: Object.fromEntries(places.map(({ i: place }) => [place, type])),
      })),
    }
  })
}

/** That shares or counts of two samples in bins are no scores. */
function binned({ spec, table, mapping }: Meant): Question[] {
  const scores = (spec.needed ?? []).map((field): Column | undefined => table.columns[mapping.fields[field]])
  const [first, second] = scores
  if (spec.kind !== 'samples' || !first || !second || !areBins([first, second], table)) return []
  const text = `${first.name} and ${second.name} are the shares or counts of bins, not scores: choose columns with a score in each row.`
  return [{ key: 'bins', text, answers: [] }]
}

function openQuestions(asking: Meant, isOfMatrix: boolean): Question[] {
  const group = asking.table.columns[asking.mapping.fields.sample]
  const {
    names,
    roles,
    order,
    last,
    agencies,
    twice,
    absorbing,
    withdrawn,
    empty,
    across,
    days = [],
    columns = {},
  } = asking.mapping.open
  const ofNames = names === undefined ? [] : [measure(asking, names)]
  if (isOfMatrix)
    return [
      ...ofNames,
      ...(absorbing ? [absorbingQuestion(asking)] : []),
      ...(withdrawn === undefined ? [] : [withdrawnQuestion(asking, withdrawn)]),
      ...(empty === undefined ? [] : [emptyQuestion(asking, empty)]),
      ...(across ? [acrossQuestion(asking)] : []),
    ]
  return [
    ...Object.entries(columns).map(([field, places]) =>
      isWeights(field) ? weights(asking, field, places) : column(asking, field, places),
    ),
    ...ofNames,
    ...(days.length > 0 ? [daysQuestion(asking, days)] : []),
    ...(roles ? [group ? sampleQuestion(asking, group) : rolesQuestion(asking)] : []),
    // What the ratings of one agency have in common is asked afterwards.
    ...(agencies !== undefined
      ? [agenciesQuestion(asking, agencies)]
      : [
          ...(twice === undefined ? [] : [twiceQuestion(asking, twice)]),
          ...(order ? [orderQuestion(asking)] : last ? [lastQuestion(asking)] : []),
        ]),
  ]
}

function measure({ table, mapping }: Meant, place: number): Question {
  const { name } = table.columns[place]
  const next = closed(mapping, 'names')
  return {
    key: 'names',
    text: `Does “${name}” name the rows, or is it measured?`,
    answers: [
      {
        label: 'It names the rows',
        effect: `${plural(mapping.used.length, 'column')} used, without it`,
        mapping: next,
      },
      {
        label: 'It is measured',
        effect: `${plural(mapping.used.length + 1, 'column')} used, with it`,
        mapping: { ...next, names: -1, used: [...mapping.used, place].sort((a, b) => a - b) },
      },
    ],
  }
}

function daysQuestion({ table, mapping }: Meant, places: readonly number[]): Question {
  const next = closed(mapping, 'days')
  const { name, values } = table.columns[mapping.fields[fieldOfDates(mapping)!]]
  // Expiries that are all past cannot count from today.
  const isPast = extent(values)[1] < Date.parse(mapping.day)
  return {
    key: 'day',
    text: 'From which day do the times to maturity count?',
    answers: [
      ...places.map((i) => ({
        label: table.columns[i].name,
        effect: `the date in each row: ${firstCell(table, table.columns[i])}`,
        mapping: { ...next, days: i },
      })),
      isPast
        ? { label: 'Another day', effect: `you enter it in the heading of ${name}`, mapping: next }
        : { label: 'Today', effect: `${mapping.day} in each row`, mapping: next },
    ],
  }
}

/** The first cell of a column that has a value, and the number of its row. */
function firstCell(table: Table, column: Column): string {
  const filled = column.values.findIndex((value) => !Number.isNaN(value))
  const row = Math.max(0, filled)
  return `${cellOf(column, row)} in row ${whole(numberOf(table, row))}`
}

/** Which of the two words of a column names the expected sample. */
function sampleQuestion({ mapping }: Meant, group: Column): Question {
  const words = wordsIn(group, 2)
  const next = closed(mapping, 'roles')
  return {
    key: 'sample words',
    text: `Which rows of ${group.name} are the expected ones?`,
    answers: [words, words.toReversed()].map(([expected, actual]) => ({
      label: expected,
      effect: `the bins are made of them, and ${actual} is compared with them`,
      mapping: {
        ...next,
        meanings: { ...next.meanings, sample: { [expected]: 'expected', [actual]: 'actual' } },
      },
    })),
  }
}

function rolesQuestion({ spec, table, mapping }: Meant): Question {
  const names = (spec.needed ?? []).map((field) => table.columns[mapping.fields[field]].name)
  const next = closed(mapping, 'roles')
  return {
    key: 'roles',
    text: 'Which scores are the expected ones?',
    answers: [
      { names, mapping: next },
      { names: names.toReversed(), mapping: withRolesTurned(spec, table, next) },
    ].map(({ names: [expected, actual], mapping }) => ({
      label: expected,
      effect: `the bins are made of it, and ${actual} is compared with it`,
      mapping,
    })),
  }
}

function weights({ spec, table, mapping }: Meant, field: string, places: readonly number[]): Question {
  const without = { label: 'No', effect: `each row counts once: ${plural(table.rows, 'row')}` }
  const names = places.map((i) => table.columns[i].name)
  return {
    key: field,
    text: `Is ${names.map((name) => `“${name}”`).join(' or ')} the weight of each row?`,
    answers: [
      { ...without, mapping: withField(spec, table, mapping, { field, column: -1 }) },
      ...places.map((i) => ({
        label: places.length > 1 ? table.columns[i].name : 'Yes',
        effect: `${weighed(table.columns[i], table.rows)}`,
        mapping: withField(spec, table, mapping, { field, column: i }),
      })),
    ],
  }
}

/** The effect of weights, in words. */
export const weighed = ({ values }: Column, rows: number): string =>
  `each row counts as often as its weight: ${plural(rows, 'row')} count as ${short(sumOf(values))}`

function column({ spec, table, mapping }: Meant, field: string, places: readonly number[]): Question {
  const none = spec.kind === 'rows' ? 'One value for all rows' : 'None of them'
  const rival = rivalOf(spec, field) ?? ''
  const released = table.columns[mapping.fields[rival]]?.name
  return {
    key: field,
    text: `Which column is ${labelOf(field)}?`,
    answers: [
      ...places.map((i) => ({
        label: table.columns[i].name,
        effect: `${firstCell(table, table.columns[i])}${released === undefined ? '' : `; ${released} is not used`}`,
        mapping: withField(spec, table, mapping, { field, column: i }),
      })),
      ...(isNeeded(spec, field)
        ? []
        : [
            {
              label: none,
              effect: released === undefined ? '' : `${released} is ${labelOf(rival)}`,
              mapping: withField(spec, table, mapping, { field, column: -1 }),
            },
          ]),
    ],
  }
}

function unit({ table, mapping }: Meant, { field, column }: FieldColumn): Question {
  const row = column.values.findIndex((value) => value !== 0 && !Number.isNaN(value))
  const first = column.values[row] ?? 0
  const underlying = underlyingIn(table)
  const shares = field === 'probabilities'
  const effectOf = (unit: Unit) => {
    const [value] = unit === 'sum' ? [first / sumOf(column.values)] : inUnit(Float64Array.of(first), unit)
    if (shares)
      return `${short(first)} is ${short(value)}; the sum is ${short(sumOf(inUnit(column.values, unit)))}`
    if (unitsOf(field, column).some(({ name }) => name === 'years'))
      return `${short(first)} is ${short(Number(value.toPrecision(4)))} ${value === 1 ? 'year' : 'years'}`
    if (field === 'price') {
      const spot = underlying?.values[row] ?? Number.NaN
      if (unit !== 'underlying')
        return `${short(first)} is ${short(first)}, ${short(Number(((100 * first) / spot).toPrecision(3)))} % of ${underlying?.name}`
      return `${short(first)} × ${short(spot)} is ${short(Number((first * spot).toPrecision(6)))}`
    }
    if (isStrike(field)) {
      const spot = underlying?.values[row]
      const ratio = spot ? `, ${short(Number((value / spot).toPrecision(3)))} × ${underlying?.name}` : ''
      return `${short(first)} is ${short(value)}${ratio}`
    }
    return `${short(first)} is ${short(Number((value * 100).toPrecision(12)))} %`
  }
  return {
    key: `${field} unit`,
    text: shares
      ? `“${column.name}” has the sum ${short(sumOf(column.values))}, not 1. How are the numbers meant?`
      : `In which unit is ${column.name} (${labelOf(field)})?`,
    answers: possibleUnits(field, column).map(({ name, answer }) => ({
      label: answer,
      effect: effectOf(name),
      mapping: { ...mapping, units: { ...mapping.units, [field]: name } },
    })),
  }
}

/** Whether a field of two classes has a column of two words, neither of which has a meaning. */
function isOpenClass({ spec, table, mapping }: Meant, field: string): boolean {
  const choices = spec.choices?.[field]
  if (typeof choices?.[0] !== 'number') return false
  const words = wordsIn(table.columns[mapping.fields[field]], MOST_MEANINGS)
  return words.length === 2 && words.every((word) => mapping.meanings[field]?.[word] === undefined)
}

function classes({ mapping }: Meant, { field, column }: FieldColumn): Question {
  const words = wordsIn(column, 2)
  const counts = words.map(
    (word, place) =>
      column.values.filter((value) => value === (column.words === null ? Number(word) : place)).length,
  )
  const rows = counts[0] + counts[1]
  const meant = (word: string) => Object.fromEntries(words.map((one) => [one, one === word ? 1 : 0]))
  return {
    key: `${field} words`,
    text: `Which value of ${column.name} is a default?`,
    answers: words.map((word, i) => ({
      label: `“${word}”`,
      effect: `${plural(counts[i], 'default')} in ${plural(rows, 'row')}, ${short(Number(((100 * counts[i]) / rows).toPrecision(3)))} %`,
      mapping: { ...mapping, meanings: { ...mapping.meanings, [field]: meant(word) } },
    })),
  }
}

function direction(asking: Meant, turns: string): Question {
  const { table, mapping } = asking
  const column = table.columns[mapping.fields[turns]]
  const isShare = turns === 'y_prob'
  const area = areaUnderRoc(asking, column)
  const use = isShare
    ? ['they are probabilities of default', 'they are probabilities of no default, used as 1 − p']
    : ['used as they are', 'used with the opposite sign']
  const effectOf = (isTurned: boolean) =>
    [use[Number(isTurned)], area !== null && `area under ROC ${short(isTurned ? 1 - area : area)}`]
      .filter(Boolean)
      .join('; ')
  return {
    key: 'direction',
    text: `Which values of ${column.name} are risky?`,
    answers: [false, true].map((isTurned) => ({
      label: isTurned ? 'Low values' : 'High values',
      effect: effectOf(isTurned),
      mapping: { ...mapping, isTurned },
    })),
  }
}
