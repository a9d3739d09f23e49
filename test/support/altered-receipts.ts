/** Alters receipts as a forger would: their values, and the text that holds them. */

type Draw = () => number
type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const some = <Item>(items: readonly Item[], draw: Draw): Item => items[Math.floor(draw() * items.length)]

/** A place in a receipt, and the value there. */
interface Place {
  readonly of: Json[] | Record<string, Json>
  readonly name: string
}

function placesIn(value: Json): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [
    { of: value as Place['of'], name },
    ...placesIn(item),
  ])
}

const read = ({ of, name }: Place): Json => (of as Record<string, Json>)[name]
const write = ({ of, name }: Place, value: Json): void => {
  ;(of as Record<string, Json>)[name] = value
}

const ODD: readonly Json[] = [
  ...[null, true, false, 0, 1, -1, 0.5, 2, 1e300, 2 ** 53, 2 ** 53 - 1, -(2 ** 53)],
  ...['', '0', 'A', '\u0000', '\ud800', 'Å', 'A\u030a', '0'.repeat(64), 'f'.repeat(128), 'AA=='],
  ...[[], {}, [null], [[]], { A: 1 }],
]

const changedText = (text: string, draw: Draw): string => {
  const at = Math.floor(draw() * text.length)
  return some(
    [
      () => `${text.slice(0, at)}${text[at] === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`,
      () => text.toUpperCase(),
      () => `${text} `,
      () => ` ${text}`,
      () => `${text}\n`,
      () => `${text}=`,
      () => `${text}A`,
      () => text.slice(0, -1),
      () => text.slice(0, 64),
      () => text.normalize('NFD'),
      () => text.replaceAll('-', '+').replaceAll('_', '/'),
      // Changes the bits of the last digit that belong to no byte.
      () => text.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
      () => `${text.slice(0, at)}\ud800${text.slice(at)}`,
      () => Array.from(text).reverse().join(''),
    ],
    draw,
  )()
}

const changed = (value: Json, draw: Draw): Json => {
  if (typeof value === 'string' && draw() < 0.7) return changedText(value, draw)
  if (typeof value === 'number' && draw() < 0.5)
    return some([value + 1, value - 1, -value, value / 2, String(value)], draw)
  return structuredClone(some(ODD, draw))
}

const VALUES: readonly ((receipt: Json, draw: Draw) => void)[] = [
  (receipt, draw) => {
    const place = some(placesIn(receipt), draw)
    write(place, changed(read(place), draw))
  },
  (receipt, draw) => {
    const place = some(placesIn(receipt), draw)
    if (Array.isArray(place.of)) place.of.splice(Number(place.name), 1)
    else delete place.of[place.name]
  },
  (receipt, draw) => {
    const { of, name } = some(placesIn(receipt), draw)
    if (Array.isArray(of)) of.splice(Number(name), 0, structuredClone(of[Number(name)]))
    else
      of[some(['A', 'root', 'constructor', '__proto__x', 'ä', '\ud800'], draw)] = structuredClone(
        some(ODD, draw),
      )
  },
  // A value from another place: a leaf for a node, one stream's root for another's.
  (receipt, draw) => {
    const places = placesIn(receipt)
    const [one, two] = [some(places, draw), some(places, draw)]
    const kept = structuredClone(read(one))
    write(one, structuredClone(read(two)))
    if (draw() < 0.5) write(two, kept)
  },
  (receipt, draw) => {
    const lists = placesIn(receipt).map(read).filter(Array.isArray)
    if (lists.length === 0) return
    const list = some(lists, draw)
    some(
      [
        () => list.reverse(),
        () => list.pop(),
        () => list.unshift(structuredClone(some(ODD, draw))),
        () => list.push(structuredClone(some(ODD, draw))),
        () => list.push(...Array(70).fill('0'.repeat(64))),
      ],
      draw,
    )()
  },
]

const NUMBER = /(?<=[:[,])-?\d+(?=[,}\]])/g
const replacedSome = (text: string, pattern: RegExp, draw: Draw, by: (found: string) => string): string => {
  const found = [...text.matchAll(pattern)]
  if (found.length === 0) return text
  const { 0: own, index } = some(found, draw)
  return text.slice(0, index) + by(own) + text.slice(index + own.length)
}

/** An object with one further member. */
const withMember = (text: string, draw: Draw, member: string): string =>
  replacedSome(text, /\{(?=")/g, draw, () => `{${member},`)

const TEXTS: readonly ((text: string, draw: Draw) => string)[] = [
  (text, draw) =>
    replacedSome(text, NUMBER, draw, (own) =>
      some(
        [
          `${own}.0`,
          `${own}e0`,
          `${own}E+0`,
          `${own}0e-1`,
          `-${own}`,
          `0${own}`,
          `${own}.`,
          `+${own}`,
          `${own}.${'0'.repeat(30)}`,
          `${own}.00000000000000000000000000001`,
          '-0',
          '-0.0',
          'NaN',
          '1e999',
          '9'.repeat(400),
          '9'.repeat(5_000),
          '9007199254740993',
        ],
        draw,
      ),
    ),
  // The same name twice.
  (text, draw) =>
    replacedSome(text, /"[a-z_]+":("[^"\\]*"|\d+|null)(?=[,}])/g, draw, (own) => {
      const name = own.slice(0, own.indexOf(':') + 1)
      return some([`${own},${own}`, `${name}0,${own}`, `${own},${name}0`, `${own},${name}null`], draw)
    }),
  (text, draw) =>
    withMember(
      text,
      draw,
      some(
        [
          '"A":NaN',
          '"A":-Infinity',
          '"A":1e999',
          '"A":1.5',
          `"A":${'9'.repeat(5_000)}`,
          '"A":"\\ud800"',
          '"A":"\\u0041"',
          '"A":"\t"',
          `"A":${'['.repeat(20_000)}${']'.repeat(20_000)}`,
          '"A":{"B":1,"B":2}',
          '"A":{"B":1,"\\u0042":2}',
          '"__proto__":{"A":1}',
          '"\\u0041":1,"B":2',
        ],
        draw,
      ),
    ),
  // Another text of the same value.
  (text, draw) =>
    replacedSome(
      text,
      /(?<=")[a-z0-9](?=[a-z0-9]*")/g,
      draw,
      (own) => `\\u00${own.charCodeAt(0).toString(16)}`,
    ),
  (text, draw) => replacedSome(text, /\//g, draw, () => '\\/'),
  (text, draw) =>
    replacedSome(text, /[,:{}[\]]/g, draw, (own) => `${some([' ', '\n', '\t', '\r\n'], draw)}${own} `),
  (text, draw) =>
    some(
      [
        `\ufeff${text}`,
        `${text}\n`,
        `${text}\u0000`,
        `${text}${text}`,
        `${text},`,
        `[${text}]`,
        `{"success":true,"data":${text}}`,
        `{"success":1,"data":${text}}`,
        `"${text}"`,
        `/**/${text}`,
        text.slice(0, Math.floor(draw() * text.length)),
        `${text}\u00a0`,
      ],
      draw,
    ),
  (text, draw) => {
    const at = Math.floor(draw() * text.length)
    return (
      text.slice(0, at) +
      some(['', '0', '"', '}', ',', '\\', '\u0000', ' ', '\ud800'], draw) +
      text.slice(at + 1)
    )
  },
]

/** The text of a receipt, altered once or several times. */
export function alteredReceipt(receipt: unknown, draw: Draw): string {
  const value = structuredClone(receipt) as Json
  const isOfText = draw() < 0.5
  for (let times = isOfText ? 0 : 1 + Math.floor(1.3 * draw()); times > 0; times--)
    some(VALUES, draw)(value, draw)
  const text = JSON.stringify(value)
  return isOfText || draw() < 0.1 ? some(TEXTS, draw)(text, draw) : text
}
