/** Recognises the rows of a table that are no observations: hidden ones, repeated headings, notes, and totals. */
import { isGap, numberIn } from './cells.ts'
import { isValue } from './column-types.ts'
import type { AsideKind } from './table.ts'

/** The relative difference from a sum that rounding explains, if a word says that there is one, and if none does. */
const NAMED_TOLERANCE = 1e-4
const UNNAMED_TOLERANCE = 1e-9
/** All shares together. */
const WHOLES = [1, 100]
/** The rows at both ends by which columns of numbers are recognised. */
const JUDGED = 200
/** The least share of the cells of a column that are numbers or dates, if it is one of these. */
const VALUE_SHARE = 0.6

const TOTAL =
  /^(grand |sub ?|overall |running |zwischen|end)?(totals?|sum|summen?|subtotal|(gesamt|teil)ergebnis|gesamt(summe)?|insgesamt|total (general|général|geral)|somme|ensemble|average|avg|mean|median|durchschnitt|mittelwert|moyenne|médiane)\s*[:=]?$/i
/** A total of a part, such as `Corporates total`, or words that name observations too; only the numbers prove these. */
const PART =
  /\b(sub)?totals?\b|\b(zwischen)?summen?\b|\bgesamt\b|\bsomme\b|^(all|alle|sum of .*|count|anzahl|nombre|min|max|minimum|maximum|std|stdev|standard deviation|standardabweichung|écart-type)\s*[:=]?$/i
const NOTE =
  /^([*†‡§¹²³©]|\(?[1-9a-c]\) |(notes?|n\.?b\.?|sources?|quellen?|hinweise?|anmerkung(en)?|bemerkung(en)?|remarks?|remarques?|légende|footnotes?|disclaimer|confidential|vertraulich|copyright|stand|as (of|at)|data|generated|created|exported|downloaded|erstellt|report|page|seite|filters?|applied filters|end of)\b)/i

/** A row of a text or file, with trimmed cells and what the file says of it. */
export interface Row {
  readonly cells: readonly string[]
  /** The position of its end in a text. */
  readonly end: number | undefined
  readonly isHidden: boolean
  readonly isSum: boolean
  readonly isAfterBlank: boolean
  /** The columns whose cells are merged with those above. */
  readonly below?: readonly number[] | undefined
  /** Its place below the headings. */
  row: number
}

type Kinds = Map<number, AsideKind>

/**
 * By the place of each row that is no observation, its kind: 'hidden', 'headings', 'note' or 'total'.
 * @param rows those below the headings
 */
export function asideRows(rows: readonly Row[], names: readonly string[]): Kinds {
  const kinds: Kinds = new Map()
  const isAside = (row: number) => kinds.has(row)
  const hidden = rows.flatMap(({ isHidden }, row) => (isHidden ? [row] : []))
  if (hidden.length < rows.length) for (const row of hidden) kinds.set(row, 'hidden')
  const columns = valueColumns(rows, names.length, isAside)
  const filled = rows.map(({ cells }) => filledIn(cells))
  for (const [row, { cells }] of rows.entries())
    if (!isAside(row) && filled[row] > 1 && names.every((name, i) => (cells[i] ?? '') === name))
      kinds.set(row, 'headings')
  if (names.length > 1) {
    markNotes(rows, { columns, filled, kinds })
    markErrors(rows, columns, kinds)
    markTotals(rows, columns, kinds)
  }
  for (const [row, { isSum }] of rows.entries()) if (isSum && !isAside(row)) kinds.set(row, 'total')
  return kinds.size < rows.length ? kinds : new Map()
}

export function filledIn(cells: readonly string[]): number {
  let filled = 0
  for (const cell of cells) if (cell !== '') filled++
  return filled
}

/** The columns of numbers or dates. */
function valueColumns(rows: readonly Row[], width: number, isAside: (row: number) => boolean): number[] {
  const isEnd = (row: number) => row < JUDGED || row >= rows.length - JUDGED
  const judged = rows.filter((_, row) => isEnd(row) && !isAside(row))
  return Array.from({ length: width }, (_, i) => i).filter((i) => {
    const filled = judged.map(({ cells }) => cells[i] ?? '').filter((cell) => !isGap(cell))
    const values = filled.filter(isValue).length
    return values > 0 && values >= VALUE_SHARE * filled.length
  })
}

interface Known {
  /** The columns of numbers or dates. */
  readonly columns: readonly number[]
  /** The number of filled cells of each row. */
  readonly filled: readonly number[]
  readonly kinds: Kinds
}

/** From the end, because a note of one cell is one only if no observation follows, or if it reads like a note. */
function markNotes(rows: readonly Row[], { columns, filled, kinds }: Known): void {
  const longest = filled.includes(1) ? longestTexts(rows, filled) : []
  const isNote = ({ cells, isAfterBlank }: Row, count: number, isLast: boolean) => {
    if (columns.some((i) => isValue(cells[i] ?? ''))) return false
    const first = cells.findIndex((cell) => cell !== '')
    const text = cells[first] ?? ''
    if (isGap(text)) return false
    if (NOTE.test(text) || (columns.length > 1 && columns.every((i) => !isGap(cells[i] ?? '')))) return true
    const isLong = / \S+ /.test(text) && text.length > 1.5 * (longest[first] ?? 0)
    return count === 1 && (isLong || (isLast && isAfterBlank) || columns.includes(first))
  }
  let isLast = true
  for (let row = rows.length - 1; row >= 0; row--) {
    if (kinds.has(row)) continue
    if (isNote(rows[row], filled[row], isLast)) kinds.set(row, 'note')
    else isLast = false
  }
}

/** Rows of standard errors in brackets, which stand below those of the estimates and have no label. */
function markErrors(rows: readonly Row[], columns: readonly number[], kinds: Kinds): void {
  const isBracketed = (cell: string) => /^\(.*\)$/.test(cell) && !isGap(cell)
  const isOfErrors = ({ cells }: Row) =>
    cells.every((cell, i) => cell === '' || (columns.includes(i) && (isBracketed(cell) || isGap(cell)))) &&
    columns.filter((i) => isBracketed(cells[i] ?? '')).length > 1
  const kept = [...rows.keys()].filter((row) => !kinds.has(row))
  const found = new Set(kept.filter((row) => isOfErrors(rows[row])))
  const areBelow = [...found].every((row) => row > 0 && !found.has(row - 1))
  if (2 * found.size <= kept.length && areBelow) for (const row of found) kinds.set(row, 'note')
}

/** The length of the longest text of each column in rows with several cells. */
function longestTexts(rows: readonly Row[], filled: readonly number[]): number[] {
  const longest: number[] = []
  for (const [row, { cells }] of rows.entries())
    if (filled[row] > 1)
      for (const [i, cell] of cells.entries()) longest[i] = Math.max(longest[i] ?? 0, cell.length)
  return longest
}

/** Rows of sums: named so and proven by the numbers above, or named so at the end of the table. */
function markTotals(rows: readonly Row[], columns: readonly number[], kinds: Kinds): void {
  const labelled = (row: number, pattern: RegExp) =>
    rows[row].cells.some((cell) => pattern.test(cell) && !isValue(cell))
  const isNamed = (row: number) => labelled(row, TOTAL) || labelled(row, PART)
  const hasValues = (row: number) => columns.some((i) => isValue(rows[row].cells[i] ?? ''))
  const kept = [...rows.keys()].filter((row) => !kinds.has(row))
  const named = new Set(kept.filter((row) => isNamed(row) && hasValues(row)))
  if (named.size > 0) {
    const sums = runningSums(columns)
    for (const row of kept) {
      const { cells } = rows[row]
      if (named.has(row) && sums.areSums(cells, NAMED_TOLERANCE).some(Boolean)) {
        kinds.set(row, 'total')
        sums.endBlock()
      } else sums.add(cells)
    }
    markFirst(rows, columns, { kept, kinds, named })
  }
  // Words that name observations too, such as Max, are those of a summary beside a total.
  const end: number[] = []
  for (const row of kept.toReversed()) {
    if (kinds.has(row)) continue
    if (!named.has(row)) break
    end.push(row)
  }
  const isSummary = end.some((row) => labelled(row, TOTAL)) || [...named].some((row) => kinds.has(row))
  if (isSummary && end.length < kept.length) for (const row of end) kinds.set(row, 'total')
  markUnnamed(rows, columns, kinds)
  markUnnamedBlocks(rows, columns, kinds)
}

/** A total above the rows that it sums. */
function markFirst(
  rows: readonly Row[],
  columns: readonly number[],
  {
    kept: [first, ...others],
    kinds,
    named,
  }: { readonly kept: readonly number[]; readonly kinds: Kinds; readonly named: ReadonlySet<number> },
): void {
  const summed = others.filter((row) => !kinds.has(row))
  if (kinds.has(first) || !named.has(first) || summed.length < 2) return
  const sums = runningSums(columns)
  for (const row of summed) sums.add(rows[row].cells)
  if (sums.areSums(rows[first].cells, NAMED_TOLERANCE).some(Boolean)) kinds.set(first, 'total')
}

/** Fewer digits may be a sum by chance. */
const LEAST_DIGITS = 5

/**
 * The last row without a word of a total: it has no name where all others have one, its shares are 100 per cent, or its numbers have
 * many digits.
 */
function markUnnamed(rows: readonly Row[], columns: readonly number[], kinds: Kinds): void {
  const kept = [...rows.keys()].filter((row) => !kinds.has(row))
  if (kept.length < 3) return
  const others = kept.slice(0, -1)
  const last = kept[kept.length - 1]
  const { cells } = rows[last]
  const isUnnamed = cells.some(
    (cell, i) =>
      cell === '' && !columns.includes(i) && others.every((row) => (rows[row].cells[i] ?? '') !== ''),
  )
  const numbered = columns.filter((i) => cells[i] !== undefined && isValue(cells[i]))
  const isWhole = numbered.some(
    (i) =>
      WHOLES.includes(numberIn(cells[i])) && others.every((row) => numberIn(rows[row].cells[i] ?? '') !== 0),
  )
  const isNamed = cells.some((cell, i) => cell !== '' && !columns.includes(i))
  const isLong = others.length > 3 && numbered.some((i) => cells[i].replace(/\D/g, '').length >= LEAST_DIGITS)
  if (numbered.length === 0 || !(isUnnamed || (isNamed && (isLong || (isWhole && others.length > 2))))) return
  const sums = runningSums(numbered)
  for (const row of others) sums.add(rows[row].cells)
  if (sums.areSums(cells, UNNAMED_TOLERANCE).every(Boolean)) kinds.set(last, 'total')
}

/** Rows without a name where at least two thirds have one, if each of them is the sum of those since the one before it, and not only of one. */
function markUnnamedBlocks(rows: readonly Row[], columns: readonly number[], kinds: Kinds): void {
  const kept = [...rows.keys()].filter((row) => !kinds.has(row))
  const measured = new Set(columns)
  const places = Array.from(rows[0]?.cells ?? [], (_, place) => place)
  for (const place of places.filter((one) => !measured.has(one))) {
    const unnamed = kept.filter((row) => (rows[row].cells[place] ?? '') === '')
    if (unnamed.length < 2 || 3 * unnamed.length > kept.length) continue
    const sums = runningSums(columns)
    let [count, most] = [0, 0]
    const isSum = (row: number) => {
      const { cells } = rows[row]
      const found = sums.areSums(cells, UNNAMED_TOLERANCE)
      sums.endBlock()
      most = Math.max(most, count)
      count = 0
      const numbered = found.filter((_, i) => isValue(cells[columns[i]] ?? ''))
      return numbered.length > 0 && numbered.every(Boolean)
    }
    const areSums = kept.every((row) => {
      if ((rows[row].cells[place] ?? '') === '') return isSum(row)
      sums.add(rows[row].cells)
      count++
      return true
    })
    if (areSums && most > 1) for (const row of unnamed) kinds.set(row, 'total')
  }
}

/**
 * The sums of columns over all rows and over those since the end of the last block, by both decimal separators. `areSums(cells,
 * tolerance)`: by column, whether the cell is such a sum or mean of at least one number other than 0.
 */
function runningSums(columns: readonly number[]) {
  const MARKS = ['point', 'comma'] as const
  interface Sum {
    sum: number
    size: number
    count: number
  }
  const spans: Sum[][][] = [[], []]
  const start = (span: number) => {
    spans[span] = columns.map(() => MARKS.map(() => ({ sum: 0, size: 0, count: 0 })))
  }
  start(0)
  start(1)
  const isNear = ({ sum, size, count }: Sum, total: number, tolerance: number) => {
    const room = tolerance * Math.max(size, Math.abs(total))
    if (count === 0 || size === 0) return false
    return Math.abs(sum - total) <= room || (count > 1 && Math.abs(sum / count - total) <= room / count)
  }
  return {
    add: (cells: readonly string[]) => {
      for (const [place, i] of columns.entries())
        for (const [m, mark] of MARKS.entries()) {
          const value = numberIn(cells[i] ?? '', mark)
          if (!Number.isFinite(value)) continue
          for (const span of spans) {
            span[place][m].sum += value
            span[place][m].size += Math.abs(value)
            span[place][m].count++
          }
        }
    },
    endBlock: () => start(1),
    areSums: (cells: readonly string[], tolerance: number) =>
      columns.map((i, place) =>
        MARKS.some((mark, m) => {
          const total = numberIn(cells[i] ?? '', mark)
          return Number.isFinite(total) && spans.some((span) => isNear(span[place][m], total, tolerance))
        }),
      ),
  }
}
