/**
 * A grown forest as text that its owner keeps. Its bytes are `QIF`, the version, columns and trees (16 bits each), rows of a
 * sample (32), threshold (a double), in version 2 the names of the columns, the trees, and the CRC-32 of all before; integers
 * and doubles are little-endian. A name is the number of its bytes and its UTF-8. A tree lists its nodes from the left, parents before children: the column + 1 and the split (a double), or 0 and the rows of
 * a leaf. Bytes, columns and rows are of seven bits a byte, the low ones first, the high bit set in all but the last (LEB128).
 */
import { DomainError } from '../domain-error.ts'
import { averagePaths, depthFor, type Forest, rowsByPath } from './forest-scores.ts'
import { emptyTree, type IsolationTree } from './isolation-tree.ts'

export interface ForestModel {
  readonly forest: Forest
  /** Rows with a higher score are anomalies. */
  readonly threshold: number
  /** Of the columns, in the order of the fit; empty where the fit was given none. */
  readonly names: readonly string[]
}

/** Trees times rows of a sample; bounds memory and time of any text. */
export const MAX_SAMPLED = 500_000
const MAX_TREES = 1_000

const MAGIC = [0x51, 0x49, 0x46]
/** The formats without and with names. A model without names keeps the text that earlier versions gave it. */
const UNNAMED = 1
const NAMED = 2
const HEADER = 20
const CHECKSUM = 4
/** The most bytes of a count. */
const COUNT = 3
/** Bytes of an inner node and a leaf. */
const NODES = 10 + 4

export function writeModel({ forest, threshold, names }: ForestModel): string {
  const { trees, sampleSize, columns } = forest
  const texts = names.map((name) => new TextEncoder().encode(name))
  const nameBytes = texts.reduce((sum, { length }) => sum + length + COUNT, 0)
  const bytes = new Uint8Array(HEADER + nameBytes + trees.length * sampleSize * NODES + CHECKSUM)
  const view = new DataView(bytes.buffer)
  bytes.set([...MAGIC, names.length > 0 ? NAMED : UNNAMED])
  view.setUint16(4, columns, true)
  view.setUint16(6, trees.length, true)
  view.setUint32(8, sampleSize, true)
  view.setFloat64(12, threshold, true)
  const rowsOf = rowsByPath(averagePaths(sampleSize))
  let at = HEADER
  const writeCount = (count: number): void => {
    let rest = count
    for (; rest >= 0x80; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80
    bytes[at++] = rest
  }
  const writeNode = ({ depth, column, split, path }: IsolationTree, node: number, level: number): void => {
    if (level === depth || split[node] === Infinity) {
      bytes[at++] = 0
      writeCount(rowsOf.get(path[node * 2 ** (depth - level)] - level) ?? 1)
      return
    }
    writeCount(column[node] + 1)
    view.setFloat64(at, split[node], true)
    at += 8
    writeNode({ depth, column, split, path }, 2 * node, level + 1)
    writeNode({ depth, column, split, path }, 2 * node + 1, level + 1)
  }
  for (const text of texts) {
    writeCount(text.length)
    bytes.set(text, at)
    at += text.length
  }
  for (const tree of trees) writeNode(tree, 1, 0)
  view.setUint32(at, crc32(bytes.subarray(0, at)), true)
  return toBase64url(bytes.subarray(0, at + CHECKSUM))
}

/** The properties of a forest that the first characters of its text state; undefined if it is none. */
export function modelShape(text: string): { trees: number; sampleSize: number; depth: number } | undefined {
  const bytes = fromBase64url(text.slice(0, 28))
  if (bytes === undefined || bytes.length < HEADER || MAGIC.some((byte, i) => bytes[i] !== byte))
    return undefined
  const view = new DataView(bytes.buffer)
  const [trees, sampleSize] = [view.getUint16(6, true), view.getUint32(8, true)]
  if (!(trees >= 1 && trees <= MAX_TREES && sampleSize >= 1 && trees * sampleSize <= MAX_SAMPLED))
    return undefined
  return { trees, sampleSize, depth: depthFor(sampleSize) }
}

/**
 * The forest of a text. A text that was not written by `writeModel` is refused unless it is one that it might have written:
 * it needs time and memory in proportion to its length and to trees × rows of a sample, which the header bounds.
 */
export function readModel(text: string): ForestModel {
  const bytes = fromBase64url(text)
  const shape = modelShape(text)
  if (bytes === undefined || shape === undefined || bytes.length < HEADER + CHECKSUM)
    throw new DomainError('model', 'is not the text that a fit returned: send all of it, unchanged')
  const version = bytes[3]
  if (version !== UNNAMED && version !== NAMED)
    throw new DomainError('model', `has format ${version}; formats up to ${NAMED} are read: fit it again`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = bytes.length - CHECKSUM
  if (view.getUint32(end, true) !== crc32(bytes.subarray(0, end)))
    throw new DomainError('model', 'is damaged: its checksum does not match')
  const columns = view.getUint16(4, true)
  const threshold = view.getFloat64(12, true)
  const reader = modelReader(view, end, columns, shape.sampleSize)
  const names = Array.from({ length: version === NAMED ? columns : 0 }, () => reader.nextName())
  const trees = Array.from({ length: shape.trees }, () => reader.nextTree())
  if (!(reader.isAtEnd() && columns >= 1 && threshold >= 0 && threshold <= 1)) throw malformed()
  if (new Set(names).size < names.length) throw malformed()
  return { forest: { trees, sampleSize: shape.sampleSize, columns }, threshold, names }
}

/**
 * Reads one name and one tree after the other. Each tree must tell apart as many rows as a sample has, in as many steps as it
 * may take.
 */
function modelReader(view: DataView, end: number, columns: number, sampleSize: number) {
  const depth = depthFor(sampleSize)
  const paths = averagePaths(sampleSize)
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let at = HEADER
  const readCount = (): number => {
    let count = 0
    for (let shift = 0; at < end && shift < 21; shift += 7) {
      const byte = view.getUint8(at++)
      count |= (byte & 0x7f) << shift
      if (byte < 0x80) return count
    }
    throw malformed()
  }
  /** Returns the rows of the leaves below the node. */
  const readNode = (tree: IsolationTree, node: number, level: number): number => {
    const column = readCount()
    if (column === 0) {
      const rows = readCount()
      if (rows < 1 || rows > sampleSize) throw malformed()
      tree.path[node * 2 ** (depth - level)] = level + paths[rows]
      return rows
    }
    if (level === depth || column > columns || at + 8 > end) throw malformed()
    tree.column[node] = column - 1
    tree.split[node] = view.getFloat64(at, true)
    at += 8
    if (!Number.isFinite(tree.split[node])) throw malformed()
    return readNode(tree, 2 * node, level + 1) + readNode(tree, 2 * node + 1, level + 1)
  }
  return {
    isAtEnd: () => at === end,
    nextName: (): string => {
      const length = readCount()
      if (at + length > end) throw malformed()
      at += length
      try {
        return utf8.decode(new Uint8Array(view.buffer, view.byteOffset + at - length, length))
      } catch {
        throw malformed()
      }
    },
    nextTree: (): IsolationTree => {
      const tree = emptyTree(depth)
      if (readNode(tree, 1, 0) !== sampleSize) throw malformed()
      return tree
    },
  }
}

const malformed = (): DomainError => new DomainError('model', 'is not well formed: no fit has written it')

const CRC_TABLE = Uint32Array.from({ length: 0x100 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ ((rest & 1) * 0xedb88320)
  return rest
})

/** The checksum CRC-32 (ISO/IEC 3309): finds every burst of errors of up to 32 bits, and others but for one in 2³². */
export function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff
  for (let i = 0; i < bytes.length; i++) rest = (rest >>> 8) ^ CRC_TABLE[(rest ^ bytes[i]) & 0xff]
  return ~rest >>> 0
}

/** The alphabet of base64url (RFC 4648, section 5), without padding and without Buffer, which browsers do not have. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const LETTERS = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0))
const NONE = 0xff
const DIGITS = new Uint8Array(0x80).fill(NONE)
LETTERS.forEach((letter, digit) => {
  DIGITS[letter] = digit
})

function toBase64url(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil((bytes.length * 4) / 3))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < bytes.length; i++) {
    held = ((held << 8) | bytes[i]) & 0xffff
    for (bits += 8; bits >= 6; bits -= 6) text[at++] = LETTERS[(held >>> (bits - 6)) & 0x3f]
  }
  if (bits > 0) text[at] = LETTERS[(held << (6 - bits)) & 0x3f]
  return new TextDecoder().decode(text)
}

/** Undefined where the text has another character, or is not the only text of its bytes. */
function fromBase64url(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const digit = code < 0x80 ? DIGITS[code] : NONE
    if (digit === NONE) return undefined
    held = ((held << 6) | digit) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (held >>> bits) & 0xff
  }
  return bits < 6 && (held & ((1 << bits) - 1)) === 0 ? bytes : undefined
}

/** The most names that a message lists. */
const MOST_LISTED = 3

/** Refuses names unless there are none, or one for each column and no two alike. */
export function checkNames(names: readonly string[], columns: number): void {
  if (names.length === 0) return
  if (names.length !== columns)
    throw new DomainError('columns', `has ${names.length} names but {X} has ${columns} columns`)
  if (!names.every((name) => name.isWellFormed()))
    throw new DomainError('columns', 'has a name that is not Unicode text')
  const places = new Map(names.map((name, place) => [name, place]))
  const twice = names.find((name, place) => places.get(name) !== place)
  if (twice !== undefined) throw new DomainError('columns', `names ${JSON.stringify(twice)} twice`)
}

/**
 * The forest for rows whose columns have these names: its tests read the column of the name that they were grown on. Refuses
 * other names than those of the fit. A model without names, or rows without, are taken by position.
 */
export function forestFor({ forest, names }: ForestModel, columns: readonly string[]): Forest {
  if (names.length === 0 || columns.length === 0) return forest
  const places = new Map(columns.map((name, place) => [name, place]))
  const fitted = new Set(names)
  const absent = names.filter((name) => !places.has(name))
  const unknown = columns.filter((name) => !fitted.has(name))
  if (absent.length + unknown.length > 0)
    throw new DomainError(
      'columns',
      `differs from the columns that {model} was fitted to: ${[...listed('lacks', absent), ...listed('has also', unknown)].join(', ')}`,
    )
  if (names.every((name, place) => columns[place] === name)) return forest
  const order = names.map((name) => places.get(name)!)
  const trees = forest.trees.map((tree) => ({ ...tree, column: tree.column.map((place) => order[place]) }))
  return { ...forest, trees }
}

function listed(verb: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, MOST_LISTED).map((name) => JSON.stringify(name))
  const others = names.length - shown.length
  return [`${verb} ${shown.join(', ')}${others > 0 ? ` and ${others} others` : ''}`]
}
