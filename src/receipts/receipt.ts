/** The receipt of a call: its leaf, its path to the root of its group, and the way to the checkpoint that signs the group. */
import { CHECKPOINT_SLACK_MS } from '../limits/operation.ts'
import { groupText, inOrder, newStream } from '../proofs/group.ts'
import { leafHash, treePath, treeRoot } from '../proofs/hash.ts'
import { leafText } from '../proofs/leaf.ts'
import { first, rows, type Sql, type Transaction } from '../store/sql.ts'
import type { Checkpoint } from './checkpoint-text.ts'
import { type FoundGroup, groupsOf, rowsOf } from './rows.ts'
import type { Signature } from './signing-keys.ts'

export const RECEIPT_VERSION = 1

export interface Receipt {
  readonly quantd_receipt: typeof RECEIPT_VERSION
  readonly leaf: Readonly<Record<string, unknown>>
  /** The place of the leaf in its group, and the hashes to the root of it, from below. */
  readonly index: number
  readonly path: readonly string[]
  readonly group: Omit<FoundGroup, 'link'> & { readonly previous: string }
  /** The hashes from the group to the root that the checkpoint has for its stream. */
  readonly way: readonly string[]
  readonly checkpoint: Checkpoint
  readonly signatures: readonly Signature[]
}

/** `waiting`: no checkpoint covers the row yet; `unproven`: it is from before there were proofs, or they do not agree with it. */
export type FoundReceipt = Receipt | 'waiting' | 'unproven'

/** @param row of the audit */
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
  const inGroup = inOrder((yield* rowsOf(sql, stream, [group])).get(number) ?? [])
  const texts = inGroup.map((own) => leafText(own, own.address, previous.version))
  const leaves = texts.map(leafHash)
  const index = inGroup.findIndex(({ id }) => id === row.id)
  if (leafHash(groupText(group, previous.link, treeRoot(leaves))) !== group.link) return 'unproven'
  const covering = yield* checkpointOf(sql, group)
  if (covering === null) return 'waiting'
  const { entry, ...signed } = covering
  const among = yield* groupsOf(sql, stream, entry.first, entry.last, entry.last - entry.first + 1)
  const { link: _, ...facts } = group
  return {
    quantd_receipt: RECEIPT_VERSION,
    leaf: JSON.parse(texts[index]),
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

export function* linkBefore(
  sql: Sql,
  stream: number,
  number: number,
): Transaction<{ readonly link: string; readonly version: string } | null> {
  const row = yield* first(
    sql.db.selectFrom('audit_streams').select(['opened_at', 'version']).where('id', '=', stream),
  )
  if (row === undefined) return null
  const { opened_at: openedAt, version } = row
  if (number === 1) return newStream({ id: stream, openedAt, version })
  const [before] = yield* groupsOf(sql, stream, number - 1, number - 1, 1)
  return before === undefined ? null : { link: before.link, version }
}

const PAGE = 20

/** The checkpoint that mentions a group: one of the first after it. */
function* checkpointOf(sql: Sql, { at, number, stream }: FoundGroup) {
  const since = sql.db
    .selectFrom('checkpoints')
    .select(['number', 'body', 'signatures'])
    .where('at', '>=', at - CHECKPOINT_SLACK_MS)
    .orderBy('number')
  for (let after = 0; ; ) {
    const page: { number: number; body: string; signatures: string }[] = yield* rows(
      since.where('number', '>', after).limit(PAGE),
    )
    for (const { body, signatures } of page) {
      const checkpoint = JSON.parse(body) as Checkpoint
      const entry = checkpoint.streams.find(
        (own) => own.stream === stream && own.first <= number && number <= own.last,
      )
      if (entry !== undefined) return { entry, checkpoint, signatures: JSON.parse(signatures) as Signature[] }
    }
    if (page.length < PAGE) return null
    after = page.at(-1)!.number
  }
}
