/** Compares the lines of an exported file of checkpoints with the checkpoints of the database. */
import type { PublishedKey } from '../../wire/receipt-check/verify.ts'
import { rows, type Sql, type Transaction } from '../store/sql.ts'
import { canonicalOrNull, checkpointIn, wrongWithSignature } from './given-checkpoints.ts'

export interface Exported {
  /** The number of whole checkpoints in the file. */
  compared: number
  /** The number of those that the database lacks. */
  lacking: number
  readonly faults: string[]
}

const AT_ONCE = 100

/**
 * The file may have some checkpoints twice and in any order, because several nodes append to it, and the beginnings of others,
 * because a node may have died while it wrote.
 */
export function* compareExported(
  sql: Sql,
  lines: Iterable<string>,
  keys: readonly PublishedKey[],
): Transaction<Exported> {
  const exported: Exported = { compared: 0, faults: [], lacking: 0 }
  let some: string[] = []
  for (const line of lines) {
    if (line.trim() === '') continue
    some.push(line.trim())
    if (some.length < AT_ONCE) continue
    yield* compare(sql, some, keys, exported)
    some = []
  }
  if (some.length > 0) yield* compare(sql, some, keys, exported)
  return exported
}

function* compare(
  sql: Sql,
  lines: readonly string[],
  keys: readonly PublishedKey[],
  exported: Exported,
): Transaction<void> {
  const read = lines.map((line) => ({ line, signed: checkpointIn(line) }))
  const numbers = read.flatMap(({ signed }) => signed?.checkpoint.number ?? [])
  const kept = new Map((yield* keptWith(sql, 'number', numbers)).map((row) => [row.number, row]))
  for (const { line, signed } of read) {
    if (signed === null) {
      if (!(yield* isBeginning(sql, line)))
        exported.faults.push(`the exported file has a line that is no checkpoint: ${line.slice(0, 100)}`)
      continue
    }
    exported.compared += 1
    const { checkpoint, signatures } = signed
    const { number } = checkpoint
    const [found, body] = [kept.get(number), canonicalOrNull(checkpoint)]
    // The signatures of the database are checked with its checkpoint.
    if (found?.body === body && found?.signatures === JSON.stringify(signatures)) continue
    const wrong = body === null ? 'is not signed' : wrongWithSignature(checkpoint, body, signatures, keys)
    if (wrong !== null) exported.faults.push(`the exported checkpoint ${number} ${wrong}`)
    else if (found === undefined) exported.lacking += 1
    else if (found.body !== body)
      exported.faults.push(`checkpoint ${number} is not the one that was exported`)
  }
}

const LINE = '{"checkpoint":{"at":'
const CUT = /^\{"checkpoint":\{"at":(\d*)(.?)/

/** Whether a line is the beginning of one of the database, which a crash has left. */
function* isBeginning(sql: Sql, line: string): Transaction<boolean> {
  const [, at, rest] = CUT.exec(line) ?? []
  if (at === undefined) return LINE.startsWith(line)
  if (rest === '') return true
  const kept = yield* keptWith(sql, 'at', [Number(at)])
  return kept.some(({ body, signatures }) =>
    `{"checkpoint":${body},"signatures":${signatures}}`.startsWith(line),
  )
}

function* keptWith({ db }: Sql, column: 'number' | 'at', values: readonly number[]) {
  const some = db.selectFrom('checkpoints').select(['number', 'body', 'signatures'])
  return values.length === 0 ? [] : yield* rows(some.where(column, 'in', values))
}
