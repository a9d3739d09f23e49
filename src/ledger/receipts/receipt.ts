/** The receipt of a call: its leaf, the hashes up to the root of its group, and those up to the checkpoint that signs it. */
import { CHECKPOINT_SLACK_MS } from '../../base/limits/operation.ts'
import { treePath, treeRoot } from '../../wire/proofs/hash.ts'
import { groupLink, markedLeaf, newStream } from '../proofs/group.ts'
import { first, rows, type Sql, type Transaction } from '../store/sql.ts'
import type { Runner } from '../store/store.ts'
import type { Checkpoint, KeptCheckpoint } from './checkpoint.ts'
import type { Checkpoints } from './checkpoint-schedule.ts'
import { type FoundGroup, groupsOf, leavesOf, rowsOf } from './proven-rows.ts'
import type { Signature } from './signing-keys.ts'

const RECEIPT_VERSION = 1

interface Receipt {
  readonly quantd_receipt: typeof RECEIPT_VERSION
  readonly leaf: Readonly<Record<string, unknown>>
  /** The index of the leaf in its group, and the hashes that give the group's root together with it. */
  readonly index: number
  readonly path: readonly string[]
  readonly group: Omit<FoundGroup, 'link'> & { readonly previous: string }
  /** The hashes that give, together with the group's link, the root that the checkpoint has for its stream. */
  readonly way: readonly string[]
  readonly checkpoint: Checkpoint
  readonly signatures: readonly Signature[]
}

/** `waiting`: no checkpoint covers the row yet; `unproven`: the row is older than the proofs, or does not agree with them. */
export type FoundReceipt = Receipt | 'waiting' | 'unproven'

/** @param row a row of the audit */
export function* receiptOf(
  sql: Sql,
  row: { readonly id: string; readonly at: number },
): Transaction<FoundReceipt> {
  const place = sql.db.selectFrom('audit').select(['stream', 'group_number as number'])
  const placed = yield* first(place.where('at', '=', row.at).where('id', '=', row.id))
  if (placed === undefined || placed.stream === null || placed.number === null) return 'unproven'
  const { number, stream } = placed
  const [group] = yield* groupsOf(sql, stream, number, number, 1)
  const previous = yield* linkBefore(sql, stream, number)
  if (group === undefined || previous === null) return 'unproven'
  const inGroup = (yield* rowsOf(sql, stream, [group])).get(number) ?? []
  const leaves = leavesOf(inGroup, previous.version)
  const index = inGroup.findIndex(({ id }) => id === row.id)
  if (groupLink(group, previous.link, treeRoot(leaves)) !== group.link) return 'unproven'
  if (number > previous.signed) return 'waiting'
  // The checkpoint may have an earlier time than the group, because clocks differ; mostly the first search finds it.
  const covering =
    (yield* checkpointOf(sql, group, group.at)) ??
    (yield* checkpointOf(sql, group, group.at - CHECKPOINT_SLACK_MS))
  if (covering === null) return 'unproven'
  const { entry, ...signed } = covering
  const among = yield* groupsOf(sql, stream, entry.first, entry.last, entry.last - entry.first + 1)
  const { link: _, ...facts } = group
  return {
    quantd_receipt: RECEIPT_VERSION,
    leaf: JSON.parse(markedLeaf(inGroup[index], inGroup[index].address, previous.version).slice(1)),
    index,
    path: treePath(leaves, index),
    group: { ...facts, previous: previous.link },
    way: treePath(
      among.map(({ link }) => link),
      number - entry.first,
    ),
    ...signed,
  }
}

/** The link before a group, with the facts of its stream; null: it is missing. */
export function* linkBefore(
  sql: Sql,
  stream: number,
  number: number,
): Transaction<{ readonly link: string; readonly version: string; readonly signed: number } | null> {
  const row = yield* first(
    sql.db.selectFrom('audit_streams').select(['opened_at', 'signed', 'version']).where('id', '=', stream),
  )
  if (row === undefined) return null
  const { opened_at: openedAt, signed, version } = row
  if (number === 1) return { ...newStream({ id: stream, openedAt, version }), signed }
  const [before] = yield* groupsOf(sql, stream, number - 1, number - 1, 1)
  return before === undefined ? null : { link: before.link, version, signed }
}

const PAGE = 20

/** The checkpoint that covers a group, searched from a time on; the times of checkpoints are in the order of their numbers. */
function* checkpointOf(sql: Sql, { number, stream }: FoundGroup, at: number) {
  const ordered = sql.db.selectFrom('checkpoints').selectAll().orderBy('at').orderBy('number').limit(PAGE)
  for (let since = { at, number: 0 }; ; ) {
    const page: readonly KeptCheckpoint[] = yield* rows(
      ordered.where('at', '>=', since.at).where('number', '>', since.number),
    )
    for (const { body, signatures } of page) {
      const checkpoint = JSON.parse(body) as Checkpoint
      const entry = checkpoint.streams.find(
        (added) => added.stream === stream && added.first <= number && number <= added.last,
      )
      if (entry !== undefined) return { entry, checkpoint, signatures: JSON.parse(signatures) as Signature[] }
    }
    if (page.length < PAGE) return null
    since = page.at(-1)!
  }
}

const TRIES = 5

/** Returns a function that finds the receipt of a row, and makes a checkpoint if none covers the row yet. */
export const receiptFinder =
  (store: Runner, checkpoints: Pick<Checkpoints, 'make'>) =>
  async (row: { readonly id: string; readonly at: number }): Promise<FoundReceipt> => {
    for (let tries = 1; ; tries++) {
      const found = await store.run(receiptOf, row)
      if (found !== 'waiting' || tries === TRIES) return found
      await checkpoints.make()
    }
  }
