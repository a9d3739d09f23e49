/** The questions about what changes a result and is not proven by the table, with the answers that the person can choose. */
// @ts-nocheck: to be converted
import { discrimination } from '../../../numerics/statistics/discrimination.ts'
import { labelOf } from '../labels.ts'
import { plural, short, whole } from '../numbers.ts'
import { isNumeric } from './column-types.ts'
import {
  isMatrix,
  isNeeded,
  isWeights,
  MOST_MEANINGS,
  openWithout,
  withField,
  withRolesTurned,
} from './mapping.ts'
import { ratingOrder, ratingsIn } from './ratings.ts'
import { cellOf, wordsIn } from './table.ts'
import { inUnit, possibleUnits, sumOf, unitsOf } from './units.ts'
import { valuesOf } from './values.ts'

/** The most rows for which an answer tells the area under ROC. */
const MOST_RANKED = 50_000

/**
 * → `{ key, text, answers }` of each open question, where an answer is `{ label, effect, mapping }` or `{ label, effect, types }`:
 * what it changes in the result, and the mapping or the types of columns (by number) that follow from it.
 */
export function questionsOf(spec, table, mapping) {
  const isOfMatrix = isMatrix(spec, mapping)
  const given = isOfMatrix ? [] : Object.entries(mapping.fields)
  const fields = given.map(([field, i]) => ({ field, column: table.columns[i] }))
  const used = new Set([mapping.names, ...(isOfMatrix ? mapping.used : given.map(([, i]) => i))])
  const asking = { spec, table, mapping }
  return [
    ...readings(table, [...used]),
    ...Object.entries(mapping.open)
      .filter(([key]) => !isOfMatrix || key === 'names')
      .map(([key, given]) => openQuestion(asking, key, given)),
    ...fields.filter(({ field }) => mapping.units[field] === null).map((one) => unit(asking, one)),
    ...fields.filter(({ field }) => isOpenClass(asking, field)).map((one) => classes(asking, one)),
    ...(mapping.isTurned === null ? [direction(asking)] : []),
  ]
}

/** A question for all columns whose cells can be read in the same two ways. */
function readings({ columns }, used) {
  const doubtful = used.filter((i) => i !== -1 && columns[i].doubt !== null)
  const kindOf = (i) => [...columns[i].doubt.types].sort().join(' ')
  return [...new Set(doubtful.map(kindOf))].map((kind) => {
    const places = doubtful.filter((i) => kindOf(i) === kind)
    const { doubt, name } = columns[places[0]]
    const more = places.length > 1 ? `, and likewise in ${plural(places.length - 1, 'more column')}` : ''
    return {
      key: `types ${kind}`,
      text: `How is “${doubt.cell}” in ${name} read${more}?`,
      answers: doubt.types.map((type, i) => ({
        label: String(doubt.readings[i]),
        effect: '',
        types: Object.fromEntries(places.map((place) => [place, type])),
      })),
    }
  })
}

function openQuestion(asking, key, given) {
  if (key === 'names') return measure(asking, given)
  if (key === 'roles') return roles(asking)
  if (key === 'order') return order(asking)
  return isWeights(key) ? weights(asking, key, given) : column(asking, key, given)
}

const closed = ({ mapping }, key) => ({ ...mapping, open: openWithout(mapping, key) })

function measure({ table, ...asking }, place) {
  const { mapping } = asking
  const { name } = table.columns[place]
  const next = closed(asking, 'names')
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

function roles({ spec, table, mapping }) {
  const names = spec.needed.map((field) => table.columns[mapping.fields[field]].name)
  const next = closed({ mapping }, 'roles')
  return {
    key: 'roles',
    text: 'Which scores are the expected ones?',
    answers: [
      [names, next],
      [names.toReversed(), withRolesTurned(spec, table, next)],
    ].map(([[expected, actual], mapping]) => ({
      label: expected,
      effect: `the bins are made of it, and ${actual} is compared with it`,
      mapping,
    })),
  }
}

function order({ table, mapping }) {
  const { from, to } = mapping.fields
  const words = ratingsIn([table.columns[from], table.columns[to]])
  const { order: rising, last } = ratingOrder(words)
  const falling = [...rising.slice(0, rising.length - last).reverse(), ...rising.slice(rising.length - last)]
  return {
    key: 'order',
    text: 'Which rating is the best one?',
    answers: [rising, falling].map((order) => ({
      label: order[0],
      effect: `best to worst: ${order.length > 8 ? `${order.slice(0, 6).join(', ')}, …, ${order.at(-1)}` : order.join(', ')}`,
      mapping: { ...closed({ mapping }, 'order'), order },
    })),
  }
}

function weights({ spec, table, mapping }, field, places) {
  const without = { label: 'No', effect: `each row counts once: ${plural(table.rows, 'row')}` }
  const names = places.map((i) => table.columns[i].name)
  return {
    key: field,
    text: `Is ${names.map((name) => `“${name}”`).join(' or ')} the weight of each row?`,
    answers: [
      { ...without, mapping: withField(spec, table, mapping, field, -1) },
      ...places.map((i) => ({
        label: places.length > 1 ? table.columns[i].name : 'Yes',
        effect: `${weighed(table.columns[i], table.rows)}`,
        mapping: withField(spec, table, mapping, field, i),
      })),
    ],
  }
}

/** The effect of weights, in words. */
export const weighed = ({ values }, rows) =>
  `each row counts as often as its weight: ${plural(rows, 'row')} count as ${short(sumOf(values))}`

function column({ spec, table, mapping }, field, places) {
  const none = spec.kind === 'rows' ? 'One value for all rows' : 'None of them'
  const filled = (i) => table.columns[i].values.findIndex((value) => !Number.isNaN(value))
  return {
    key: field,
    text: `Which column is ${labelOf(field)}?`,
    answers: [
      ...places.map((i) => ({
        label: table.columns[i].name,
        effect: `${cellOf(table.columns[i], Math.max(0, filled(i)))} in row ${whole(Math.max(0, filled(i)) + 1)}`,
        mapping: withField(spec, table, mapping, field, i),
      })),
      ...(isNeeded(spec, field)
        ? []
        : [{ label: none, effect: '', mapping: withField(spec, table, mapping, field, -1) }]),
    ],
  }
}

function unit({ mapping }, { field, column }) {
  const first = column.values.find((value) => value !== 0 && !Number.isNaN(value)) ?? 0
  const shares = field === 'probabilities'
  const effectOf = (unit) => {
    const [value] = unit === 'sum' ? [first / sumOf(column.values)] : inUnit(Float64Array.of(first), unit)
    if (shares)
      return `${short(first)} is ${short(value)}; the sum is ${short(sumOf(inUnit(column.values, unit)))}`
    const isTime = unitsOf(field, column).some(({ name }) => name === 'years')
    if (isTime)
      return `${short(first)} is ${short(Number(value.toPrecision(4)))} ${value === 1 ? 'year' : 'years'}`
    return `${short(first)} is ${short(Number((value * 100).toPrecision(12)))} %`
  }
  return {
    key: `${field} unit`,
    text: shares
      ? `“${column.name}” has the sum ${short(sumOf(column.values))}, not 1. How are the numbers meant?`
      : `In which unit is ${column.name} (${labelOf(field)})?`,
    answers: possibleUnits(field, column).map(({ name }) => ({
      label: UNIT_LABELS[name],
      effect: effectOf(name),
      mapping: { ...mapping, units: { ...mapping.units, [field]: name } },
    })),
  }
}

const UNIT_LABELS = {
  years: 'Years',
  months: 'Months',
  days: 'Days',
  decimal: 'Decimals',
  percent: 'Per cent',
  'basis points': 'Basis points',
  sum: 'Counts',
}

/** Whether a field of two classes has a column of two words, neither of which has a meaning. */
function isOpenClass({ spec, table, mapping }, field) {
  const choices = spec.choices?.[field]
  if (typeof choices?.[0] !== 'number') return false
  const words = wordsIn(table.columns[mapping.fields[field]], MOST_MEANINGS)
  return words.length === 2 && words.every((word) => mapping.meanings[field]?.[word] === undefined)
}

function classes({ mapping }, { field, column }) {
  const words = wordsIn(column, 2)
  const counts = words.map(
    (word, place) =>
      column.values.filter((value) => value === (column.words === null ? Number(word) : place)).length,
  )
  const rows = counts[0] + counts[1]
  const meant = (word) => Object.fromEntries(words.map((one) => [one, one === word ? 1 : 0]))
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

function direction({ spec, table, mapping }) {
  const column = table.columns[mapping.fields[spec.turns]]
  const isShare = spec.turns === 'y_prob'
  const area = areaUnderRoc({ spec, table, mapping })
  const use = isShare
    ? ['they are probabilities of default', 'they are probabilities of no default, used as 1 − p']
    : ['used as they are', 'used with the opposite sign']
  const effectOf = (isTurned) =>
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

/** The area under ROC if high values are risky; null if the classes are not known yet. */
function areaUnderRoc({ spec, table, mapping }) {
  const field = Object.keys(spec.choices)[0]
  const [labels, scores] = [field, spec.turns].map((name) => table.columns[mapping.fields[name]])
  if (labels === undefined || !isNumeric(scores) || table.rows > MOST_RANKED) return null
  const asks = []
  const { values } = valuesOf(spec, mapping, field, labels, asks)
  const kept = [...values.keys()].filter(
    (row) => !Number.isNaN(values[row]) && !Number.isNaN(scores.values[row]),
  )
  const classes = Uint8Array.from(kept, (row) => values[row])
  if (asks.length > 0 || !classes.includes(0) || !classes.includes(1)) return null
  return discrimination(
    classes,
    Float64Array.from(kept, (row) => scores.values[row]),
  ).auc
}
