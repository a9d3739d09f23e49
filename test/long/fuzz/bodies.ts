/** Request bodies: variations of the documented examples, and mutations of their structure and text. */

import odd from '../../support/odd.json' with { type: 'json' }
import type { Dice } from './dice.ts'
import type { Endpoint, Schema } from './document.ts'
import { leaf, type Place, placesOf, type Tree, textOf, treeOf } from './tree.ts'

/** Valid JSON values that parsers and validators often handle wrongly. */
const UNUSUAL_VALUES = [
  ...odd.values,
  '1'.repeat(400),
  `0.${'3'.repeat(400)}`,
  `"${'x'.repeat(300)}"`,
  `"${'é'.repeat(5_000)}"`,
]

const UNUSUAL_NAMES = [...odd.names, 'n'.repeat(300)]

/** A body that nearly always fits the endpoint's schema; for some the computation has no finite result. */
export function validBody(endpoint: Endpoint, dice: Dice): Tree {
  const tree = treeOf(endpoint.example)
  if (tree.kind !== 'object') return tree
  const properties: Record<string, Schema> = endpoint.input.properties
  for (const [name, schema] of Object.entries(properties)) {
    const field = tree.fields.find(([other]) => other === name)
    if (field === undefined) {
      if (dice.oneIn(4)) tree.fields.push([name, generated(schema, dice)])
    } else if (schema.enum !== undefined) field[1] = generated(schema, dice)
    else if (dice.oneIn(2)) jitter(field[1], dice)
    else if (schema.type !== 'array' && endpoint.isComputation && dice.oneIn(6))
      field[1] = generated(schema, dice)
  }
  if (dice.oneIn(8)) repeatArrays(tree, dice.integer(2, 6))
  return tree
}

/** Repeats the items of every top-level array, so that arrays of equal length stay equally long. */
export function repeatArrays(tree: Tree, times: number): void {
  if (tree.kind !== 'object') return
  for (const [, value] of tree.fields)
    if (value.kind === 'array')
      value.items.push(...Array.from({ length: times - 1 }, () => value.items.map(copy)).flat())
}

const copy = (tree: Tree): Tree => {
  if (tree.kind === 'leaf') return leaf(tree.text)
  if (tree.kind === 'array') return { kind: 'array', items: tree.items.map(copy) }
  return { kind: 'object', fields: tree.fields.map(([name, value]) => [name, copy(value)]) }
}

/** Changes every number by up to 20 %. */
function jitter(tree: Tree, dice: Dice): void {
  if (tree.kind === 'array') for (const item of tree.items) jitter(item, dice)
  if (tree.kind !== 'leaf' || !/^-?\d/.test(tree.text)) return
  const value = Number(tree.text)
  if (!Number.isInteger(value) || dice.oneIn(3)) tree.text = String(value * (0.8 + 0.4 * dice.fraction()))
}

/** A value that fits the schema, often one of its bounds. */
function generated(schema: Schema, dice: Dice): Tree {
  if (schema.const !== undefined) return treeOf(schema.const)
  if (schema.enum !== undefined) return treeOf(dice.pick(schema.enum))
  switch (schema.type) {
    case 'boolean':
      return treeOf(dice.oneIn(2))
    case 'integer': {
      const low = Math.max(schema.minimum ?? -1_000, -1e15)
      const high = Math.min(schema.maximum ?? 1_000, 1e15)
      return treeOf(
        dice.pick([low, high, Math.min(high, low + 1), dice.integer(low, Math.min(high, low + 300))]),
      )
    }
    case 'number': {
      const bounds = [schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum]
      const given = bounds.filter((bound) => bound !== undefined)
      const drawn = 10 ** (12 * dice.fraction() - 6)
      return treeOf(dice.pick([...given, drawn, drawn, 1, 0.5]))
    }
    case 'array':
      return {
        kind: 'array',
        items: Array.from({ length: dice.integer(1, 4) }, () => generated(schema.items, dice)),
      }
    case 'object':
      return {
        kind: 'object',
        fields: Object.entries<Schema>(schema.properties ?? {}).map(([name, inner]) => [
          name,
          generated(inner, dice),
        ]),
      }
    default:
      return treeOf('text'.padEnd(schema.minLength ?? 0, '-').slice(0, schema.maxLength))
  }
}

/** Changes a tree in one to four places. */
export function mutate(tree: Tree, dice: Dice): void {
  const steps = dice.weighted([
    [6, 1],
    [2, 2],
    [1, 4],
  ])
  for (let step = 0; step < steps; step++) {
    const places = placesOf(tree)
    if (places.length === 0) return
    dice.weighted(MUTATIONS)(dice.pick(places), tree, dice)
  }
}

type Mutation = (place: Place, root: Tree, dice: Dice) => void

const MUTATIONS: readonly (readonly [number, Mutation])[] = [
  [6, (place, _, dice) => place.put(leaf(dice.pick(UNUSUAL_VALUES)))],
  [3, (place) => place.remove()],
  [2, (_, root, dice) => addField(root, dice.pick(UNUSUAL_NAMES), leaf(dice.pick(UNUSUAL_VALUES)))],
  [2, (place, root, dice) => repeatField(root, place, leaf(dice.pick(UNUSUAL_VALUES)), dice)],
  [2, (_, root, dice) => renameField(root, dice)],
  [
    2,
    (place, _, dice) =>
      place.put(
        nested(
          place.tree,
          dice.weighted([
            [3, 1],
            [1, 20],
            [1, 45],
          ]),
          dice,
        ),
      ),
  ],
  [4, (place, _, dice) => tweak(place, dice)],
  [2, (place, _, dice) => lengthen(place, dice)],
  [1, (place, _, dice) => place.put(leaf(dice.pick(odd.invalidValues)))],
]

function addField(root: Tree, name: string, value: Tree): void {
  if (root.kind === 'object') root.fields.push([name, value])
}

function repeatField(root: Tree, place: Place, other: Tree, dice: Dice): void {
  if (root.kind !== 'object' || root.fields.length === 0) return
  const [name, value] = dice.pick(root.fields)
  if (dice.oneIn(2)) root.fields.push([name, dice.oneIn(2) ? value : other])
  else root.fields.unshift([name, place.tree])
}

function renameField(root: Tree, dice: Dice): void {
  if (root.kind !== 'object' || root.fields.length === 0) return
  const field = dice.pick(root.fields)
  const [name] = field
  field[0] = dice.pick([
    name.toUpperCase(),
    `${name} `,
    name.slice(1),
    `${name}${name}`,
    dice.pick(UNUSUAL_NAMES),
  ])
}

function nested(tree: Tree, depth: number, dice: Dice): Tree {
  const wrap = dice.pick<(inner: Tree) => Tree>([
    (inner) => ({ kind: 'array', items: [inner] }),
    (inner) => ({ kind: 'object', fields: [['a', inner]] }),
  ])
  let outer = tree
  for (let level = 0; level < depth; level++) outer = wrap(outer)
  return outer
}

/** Replaces a number by another number, or a string by another string. */
function tweak(place: Place, dice: Dice): void {
  const { tree } = place
  if (tree.kind !== 'leaf') {
    place.put(leaf(dice.pick(UNUSUAL_VALUES)))
    return
  }
  const value = Number(tree.text)
  if (Number.isNaN(value)) {
    const text = tree.text.slice(1, -1)
    place.put(
      treeOf(dice.pick([text.toUpperCase(), ` ${text}`, `${text}\u0000`, text.slice(1), text + text])),
    )
    return
  }
  const numbers = [
    -value,
    value + 1,
    value * 10,
    value / 1e9,
    value * 1e200,
    value + 1e-12,
    Math.trunc(value) + 0.5,
  ]
  place.put(leaf(String(dice.pick(numbers)).replace('Infinity', '1e999')))
}

function lengthen({ put, tree }: Place, dice: Dice): void {
  if (tree.kind !== 'array') {
    put(leaf(dice.pick(UNUSUAL_VALUES)))
    return
  }
  const { items } = tree
  if (items.length > 0)
    items.push(...Array.from({ length: dice.pick([1, 1, 7, 60]) }, () => copy(dice.pick(items))))
}

const SPACES = ['', '', '', ' ', '\n', '\t ', '\r\n']
const INVISIBLE = ['\ufeff', '\u00a0', '\u2028', '\u000b', '\u0000']

/** The text of a body; if mutated, sometimes with changes that a JSON tree cannot express, such as truncation. */
export function bodyBytes(tree: Tree, dice: Dice, isMutated: boolean): Buffer {
  const text = textOf(tree, dice.pick(SPACES))
  if (!isMutated || !dice.oneIn(6)) return Buffer.from(text)
  const cut = dice.integer(0, text.length)
  const bytes = Buffer.from(text)
  switch (dice.integer(0, 6)) {
    case 0:
      return Buffer.from(text.slice(0, cut))
    case 1:
      return Buffer.from(text.slice(0, cut) + dice.pick(INVISIBLE) + text.slice(cut))
    case 2:
      return Buffer.from(text + dice.pick([',', '}', '{}', ' null', '\u0000', text]))
    case 3:
      return Buffer.from(dice.pick(INVISIBLE) + text)
    case 4:
      return Buffer.concat([
        bytes.subarray(0, cut),
        Buffer.from([dice.integer(0x80, 0xff)]),
        bytes.subarray(cut),
      ])
    case 5:
      return Buffer.from(text.replace(/[a-z]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`))
    default:
      return Buffer.from(dice.pick([...odd.invalidValues, ...UNUSUAL_VALUES]))
  }
}
