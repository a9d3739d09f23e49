/** The questions about ratings: their order, default, and what a matrix lacks. */
import { plural, short } from '../numbers.ts'
import { closed, type Mapping, ratingColumns, withOnly } from './mapping.ts'
import { ofTwoScales, ratingOrder, ratingsIn } from './ratings.ts'
import { cellOf, wordsIn } from './table.ts'
import type { Meant, Question } from './values.ts'

/** Which rating is the best one; if none is named default, also whether the last one is. */
export function orderQuestion(asking: Meant): Question {
  const { mapping } = asking
  const words = wordsOf(asking)
  const scales = ofTwoScales(words)
  if (scales !== null)
    return {
      key: 'order',
      text: `${scales.join(' and ')} are ratings of two scales${asking.spec.kind === 'history' ? ', and no move leads from one to the other' : ''}: keep the rows of one agency.`,
      answers: [],
    }
  const { order: rising, last } = ratingOrder(words)
  const falling = [...rising.slice(0, rising.length - last).reverse(), ...rising.slice(rising.length - last)]
  const next = closed(mapping, 'order')
  const inShort = (order: readonly string[]) =>
    order.length > 8 ? `${order.slice(0, 6).join(', ')}, …, ${order.at(-1)}` : order.join(', ')
  if (mapping.open.last === undefined)
    return {
      key: 'order',
      text: 'Which rating is the best one?',
      answers: [rising, falling].map((order) => ({
        label: order[0],
        effect: `best to worst: ${inShort(order)}`,
        mapping: { ...next, order },
      })),
    }
  return {
    key: 'order',
    text: 'Which rating is the best one, and is the worst one default?',
    answers: [rising, falling].flatMap((order) =>
      lastAnswers(closed(next, 'last'), order).map(({ label, effect, mapping }) => ({
        label:
          label === 'Yes' ? `${order[0]}, and ${order.at(-1)} is default` : `${order[0]}, none is default`,
        effect: `best to worst: ${inShort(order)}; ${effect}`,
        mapping,
      })),
    ),
  }
}

/** The most agencies that are offered. */
const MOST_AGENCIES = 8

/** Which of several agencies, or kinds of ratings, is used. */
export function agenciesQuestion({ spec, table, mapping }: Meant, place: number): Question {
  const column = table.columns[place]
  const { name, values } = column
  const words = wordsIn(column, MOST_AGENCIES).slice(0, MOST_AGENCIES)
  const rowsOf = (word: number) => values.reduce((sum, value) => sum + Number(value === word), 0)
  const isOfScales = ofTwoScales(wordsOf({ spec, table, mapping })) !== null
  const [first, second] = words
  return {
    key: 'agencies',
    text: `The same entity may have a rating for each ${name}, and a history is that of one: which rows count?`,
    answers: [
      ...words.map((word, i) => ({
        label: word,
        effect: plural(rowsOf(i), 'row'),
        mapping: withOnly(spec, table, mapping, { column: place, word }),
      })),
      ...(isOfScales
        ? []
        : [
            {
              label: 'All rows',
              effect: `a rating of ${first} followed by one of ${second} is a move`,
              mapping: closed(mapping, 'agencies'),
            },
          ]),
    ],
  }
}

export const twiceQuestion = ({ mapping }: Meant, count: number): Question => ({
  key: 'twice',
  text: `${plural(count, 'row')} ${count === 1 ? 'has' : 'have'} another rating than the row before of the same entity and date: which one holds?`,
  answers: [
    {
      label: 'The last one in the table',
      effect: `${plural(count, 'earlier rating')} not used`,
      mapping: closed(mapping, 'twice'),
    },
  ],
})

export function lastQuestion(asking: Meant): Question {
  const { mapping } = asking
  const order = mapping.order ?? ratingOrder(wordsOf(asking)).order
  return {
    key: 'last',
    text: `No rating is named default. Is it “${order.at(-1) ?? ''}”?`,
    answers: lastAnswers(closed(mapping, 'last'), order),
  }
}

/** Whether the last rating of an order is default. */
function lastAnswers(mapping: Mapping, order: readonly string[]) {
  const last = order.at(-1) ?? ''
  const added = order.includes('D') ? 'Default' : 'D'
  return [
    {
      label: 'No',
      effect: `${added} is added behind ${last}; no default is counted`,
      mapping: { ...mapping, order: [...order, added] },
    },
    { label: 'Yes', effect: `${last} is default: it is never left`, mapping: { ...mapping, order } },
  ]
}

/** The different ratings of the table. */
const wordsOf = ({ spec, table, mapping }: Meant): string[] =>
  ratingsIn(ratingColumns(spec, table, mapping).filter((column) => column !== undefined))

export function absorbingQuestion({ table, mapping }: Meant): Question {
  const { used } = mapping
  const name = table.hasHeader ? table.columns[used.at(-1)!].name : 'the last rating'
  const next = closed(mapping, 'absorbing')
  return {
    key: 'absorbing',
    text: `The matrix has no row for ${name}. Is ${name} ever left?`,
    answers: [
      { label: 'Never, as default', effect: `a row is added in which ${name} stays ${name}`, mapping: next },
      {
        label: 'Leave it out',
        effect: `${plural(used.length - 1, 'rating')} without ${name}; each row is scaled to the sum 1`,
        mapping: { ...next, used: used.slice(0, -1) },
      },
    ],
  }
}

export function withdrawnQuestion({ table, mapping }: Meant, place: number): Question {
  const { name, values } = table.columns[place]
  const all = mapping.used.reduce((sum, i) => sum + (table.columns[i].values[0] || 0), 0)
  const share = (value: number) => `${short(Number(((100 * value) / (all + values[0])).toPrecision(3)))} %`
  const next = closed(mapping, 'withdrawn')
  const named = table.columns[mapping.names]
  const row = named === undefined ? 'the first row' : String(cellOf(named, 0))
  return {
    key: 'withdrawn',
    text: `How do the withdrawn ratings in ${name} count?`,
    answers: [
      {
        label: 'Left out',
        effect: `${share(values[0])} of ${row} are spread over its other ratings in proportion`,
        mapping: next,
      },
      {
        label: 'As unchanged',
        effect: `${share(values[0])} of ${row} are added to those who stay`,
        mapping: { ...next, unchanged: place },
      },
    ],
  }
}

export const emptyQuestion = ({ mapping }: Meant, count: number): Question => ({
  key: 'empty',
  text: `${plural(count, 'cell')} of the matrix ${count === 1 ? 'has' : 'have'} no number: did nobody move there?`,
  answers: [{ label: 'Yes, they are 0', effect: '', mapping: closed(mapping, 'empty') }],
})

export function acrossQuestion({ table, mapping }: Meant): Question {
  const [first, second] = mapping.used.map((i) => table.columns[i])
  const next = closed(mapping, 'across')
  const move = `${first.name} → ${second.name} is`
  return {
    key: 'across',
    text: 'The columns of the matrix have the sum 1, and not the rows: are the moves from the ratings of the columns?',
    answers: [
      { label: 'Yes', effect: `${move} ${short(first.values[1])}`, mapping: { ...next, isAcross: true } },
      {
        label: 'No',
        effect: `${move} ${short(second.values[0])}; each row is scaled to the sum 1`,
        mapping: next,
      },
    ],
  }
}
