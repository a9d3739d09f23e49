/**
 * Checks the audit against its checkpoints, in one snapshot and with bounded memory: every row must be in its group, every group
 * in its stream, every stream in the checkpoints, and the checkpoints must equal those that were exported.
 */
import { sql as raw } from 'kysely'
import { CHECKPOINT_GROUPS, CHECKPOINT_SLACK_MS, UPGRADE_MS } from '../../base/limits/operation.ts'
import { parsedJson } from '../../base/text.ts'
import { isoTime } from '../../base/time.ts'
import { treeRoot } from '../../wire/proofs/hash.ts'
import type { PublishedKey } from '../../wire/receipt-check/verify.ts'
import { groupLink, newStream } from '../proofs/group.ts'
import { ALL_TIMES, auditParts, piecesOf } from '../store/audit.ts'
import { first, rows, type Sql, type Transaction } from '../store/sql.ts'
import { MOST_GROUPS } from '../store/streams.ts'
import {
  type Checkpoint,
  checkpointHash,
  checkpointLines,
  checkpointOf,
  clockOf,
  type KeptCheckpoint,
  newestBody,
  provenSince,
  type StreamEntry,
  wrongWithSignature,
} from './checkpoint.ts'
import { compareExported } from './checkpoint-schedule.ts'
import { type FoundGroup, groupsOf, leavesOf, type ProvenAuditRow, rowsOf } from './proven-rows.ts'
import { publishedKeys } from './signing-keys.ts'

export interface AuditCheck {
  /** The first faults, at most `mostFaults`. */
  readonly faults: readonly string[]
  readonly checkpoints: number
  /** The number of exported checkpoints that were compared. */
  readonly exported: number
  readonly groups: number
  /** The number of groups that were signed while the database's clock was behind an earlier time: their times are doubtful. */
  readonly doubtful: number
  readonly rows: number
  /** The number of rows that no checkpoint covers yet. */
  readonly waiting: number
  /** The number of rows from before there were proofs. */
  readonly unproven: number
  /** The number of rows without proof from within a day of the upgrade: written by nodes of the former version, or forged. */
  readonly older: number
}

interface AuditCheckOptions {
  /** The lines of the exported file. */
  readonly exported: Iterable<string>
  /** The keys to check signatures with; null: those in the database. */
  readonly keys: readonly PublishedKey[] | null
  /** The number of faults that are reported. */
  readonly mostFaults?: number
}

const MOST_FAULTS = 100
const CHECKPOINTS_AT_ONCE = 100
const GROUPS_AT_ONCE = 200
const LEAVES_AT_ONCE = 5_000

interface StreamState {
  readonly version: string
  /** The number of the newest group, and its link. */
  number: number
  link: string
}

interface Walk {
  readonly sql: Sql
  readonly faults: string[]
  readonly mostFaults: number
  readonly streams: Map<number, StreamState>
  keptFrom: number
  /** The earliest time that a group which is not covered yet may have. */
  since: number
  groups: number
  doubtful: number
  rows: number
  /** The rows of groups from `keptFrom` on, to compare with the number of rows in the table. */
  kept: number
}

export function* checkAudit(
  sql: Sql,
  { exported, keys, mostFaults = MOST_FAULTS }: AuditCheckOptions,
): Transaction<AuditCheck> {
  const newest = checkpointOf((yield* newestBody(sql)) ?? '')
  const walk: Walk = {
    sql,
    faults: [],
    mostFaults,
    streams: new Map<number, StreamState>(),
    keptFrom: newest?.kept_from ?? 0,
    since: -CHECKPOINT_SLACK_MS,
    groups: 0,
    doubtful: 0,
    rows: 0,
    kept: 0,
  }
  const known = keys ?? (yield* publishedKeys(sql))
  const { compared, faults, lacking } = yield* compareExported(sql, exported, known)
  for (const text of faults) fault(walk, text)
  if (lacking > 0)
    fault(
      walk,
      `the database lacks ${lacking} exported checkpoints: it is older than they are, or was cut off`,
    )
  const checkpoints = yield* walkCheckpoints(walk, known)
  const covered = walk.kept
  yield* walkTails(walk)
  const { more, older, stray, unproven, waiting } = yield* countRows(sql, walk, newest)
  if (more !== 0)
    fault(walk, `the audit has ${Math.abs(more)} rows ${more > 0 ? 'more' : 'fewer'} than its groups`)
  if (stray > 0) fault(walk, `${stray} groups are in streams that were never opened`)
  return {
    faults: walk.faults,
    checkpoints,
    exported: compared,
    groups: walk.groups,
    doubtful: walk.doubtful,
    rows: walk.rows,
    waiting: waiting + walk.kept - covered,
    unproven,
    older,
  }
}

function fault({ faults, mostFaults }: Walk, text: string): void {
  if (faults.length < mostFaults) faults.push(text)
}

/** Checks that each checkpoint follows the one before it, and continues each of its streams where that one ended. */
function* walkCheckpoints(walk: Walk, keys: readonly PublishedKey[]): Transaction<number> {
  let before: Checkpoint | null = null
  for (let count = 0; ; ) {
    const page: readonly KeptCheckpoint[] = yield* checkpointLines(
      walk.sql,
      before?.number ?? 0,
      CHECKPOINTS_AT_ONCE,
    )
    for (const { at, body, number, signatures } of page) {
      const checkpoint = checkpointOf(body)
      if (checkpoint?.number !== number || checkpoint.at !== at) {
        fault(walk, `checkpoint ${number} was altered`)
        return count
      }
      const wrong =
        wrongWith(checkpoint, before) ?? wrongWithSignature(checkpoint, body, parsedJson(signatures), keys)
      if (wrong !== null) fault(walk, `checkpoint ${number} ${wrong}`)
      for (const entry of checkpoint.streams) yield* walkEntry(walk, checkpoint, entry)
      const added = checkpoint.streams.reduce((sum, { first, last }) => sum + last - first + 1, 0)
      // A full checkpoint may have left groups from before its time to the next one.
      if (added < CHECKPOINT_GROUPS) walk.since = clockOf(checkpoint) - CHECKPOINT_SLACK_MS
      if (checkpoint.clock !== undefined) walk.doubtful += added
      before = checkpoint
      count += 1
    }
    if (page.length < CHECKPOINTS_AT_ONCE) return count
  }
}

function wrongWith(checkpoint: Checkpoint, before: Checkpoint | null): string | null {
  const previous = before === null ? null : checkpointHash(before)
  if (checkpoint.previous !== previous || checkpoint.number !== (before?.number ?? 0) + 1)
    return 'does not follow the one before it'
  if (before === null) return null
  if (checkpoint.key !== (before.next_key ?? before.key)) return 'has a key that no rotation has named'
  const isGoingOn =
    checkpoint.service === before.service &&
    checkpoint.proven_from === before.proven_from &&
    checkpoint.at >= before.at &&
    checkpoint.kept_from >= before.kept_from
  return isGoingOn ? null : 'contradicts the one before it'
}

/** Checks the groups that a checkpoint adds to a stream. */
function* walkEntry(
  walk: Walk,
  checkpoint: Checkpoint,
  { first: from, head, last: to, root, stream }: StreamEntry,
): Transaction<void> {
  const state = yield* stateOf(walk, stream)
  if (state === null) return fault(walk, `stream ${stream} is missing`)
  if (from !== state.number + 1)
    fault(walk, `checkpoint ${checkpoint.number} does not continue stream ${stream}`)
  const links: string[] = []
  const since = Math.min(walk.since, clockOf(checkpoint) - CHECKPOINT_SLACK_MS)
  for (let next = from; next <= to; ) {
    const groups = yield* groupsOf(walk.sql, stream, next, to, GROUPS_AT_ONCE)
    if (groups.length === 0) break
    for (const { at, number } of groups)
      if (at < since || at > checkpoint.at + CHECKPOINT_SLACK_MS)
        fault(walk, `group ${number} of stream ${stream} has a time at which it cannot have been written`)
    yield* walkGroups(walk, state, groups)
    links.push(...groups.map(({ link }) => link))
    next = (groups.at(-1)?.number ?? to) + 1
  }
  if (links.length !== to - from + 1)
    fault(walk, `groups of stream ${stream} are missing from ${from} to ${to}`)
  else if (links.at(-1) !== head || treeRoot(links) !== root)
    fault(walk, `stream ${stream} was altered from group ${from} to ${to}`)
  state.number = to
}

function* stateOf({ sql, streams }: Walk, stream: number): Transaction<StreamState | null> {
  const known = streams.get(stream)
  if (known !== undefined) return known
  const row = yield* first(
    sql.db.selectFrom('audit_streams').select(['opened_at', 'version']).where('id', '=', stream),
  )
  if (row === undefined) return null
  const { link, number, version } = newStream({ id: stream, openedAt: row.opened_at, version: row.version })
  const state = { link, number, version }
  streams.set(stream, state)
  return state
}

/** Checks groups of one stream, in order, reading a bounded number of rows at once. */
function* walkGroups(walk: Walk, state: StreamState, groups: readonly FoundGroup[]): Transaction<void> {
  let piece: FoundGroup[] = []
  let leaves = 0
  for (const group of groups) {
    piece.push(group)
    leaves += group.leaves
    if (leaves < LEAVES_AT_ONCE && group !== groups.at(-1)) continue
    const found = yield* rowsOf(walk.sql, group.stream, piece)
    for (const read of piece) checkGroup(walk, state, read, found.get(read.number) ?? [])
    piece = []
    leaves = 0
  }
}

function checkGroup(
  walk: Walk,
  state: StreamState,
  group: FoundGroup,
  found: readonly ProvenAuditRow[],
): void {
  const { at, leaves, link, number, stream } = group
  const name = `group ${number} of stream ${stream}`
  if (number !== state.number + 1) fault(walk, `${name} does not follow group ${state.number}`)
  const ofTime = found.filter((row) => row.at === at)
  // Retention may have deleted a group from before `keptFrom`.
  const isDropped = at < walk.keptFrom && ofTime.length === 0
  if (!isDropped) {
    const hashes = leavesOf(ofTime, state.version)
    const root = hashes.length === 0 ? '' : treeRoot(hashes)
    if (ofTime.length !== leaves)
      fault(walk, `${name} has ${ofTime.length} rows instead of ${leaves}, at ${isoTime(at)}`)
    else if (groupLink(group, state.link, root) !== link)
      fault(walk, `${name} was altered, or one of its ${leaves} rows, at ${isoTime(at)}`)
    walk.rows += ofTime.length
  }
  if (at >= walk.keptFrom) walk.kept += leaves
  walk.groups += 1
  state.number = number
  state.link = link
}

/** Checks the groups that no checkpoint covers yet. One that is older than the newest checkpoint was backdated. */
function* walkTails(walk: Walk): Transaction<void> {
  const { faults, sql } = walk
  const since = Math.min(walk.since, (yield* sql.clock()) - CHECKPOINT_SLACK_MS)
  const known = yield* rows(sql.db.selectFrom('audit_streams').select(['id', 'signed']).orderBy('id'))
  for (const { id, signed } of known) {
    const state = (yield* stateOf(walk, id))!
    if (signed !== state.number && faults.length === 0)
      fault(walk, `stream ${id} counts other groups than the checkpoints`)
    for (;;) {
      const groups = yield* groupsOf(sql, id, state.number + 1, MOST_GROUPS, GROUPS_AT_ONCE)
      for (const { at, number } of groups)
        if (at < since)
          fault(
            walk,
            `group ${number} of stream ${id} is older than the newest checkpoint, which does not have it`,
          )
      yield* walkGroups(walk, state, groups)
      if (groups.length < GROUPS_AT_ONCE) break
    }
  }
}

interface Checked {
  /** The rows of groups from before this time may have been deleted. */
  readonly keptFrom: number
  /** The number of rows in the other groups. */
  readonly kept: number
  readonly groups: number
}

interface Counted {
  /** The number of rows in no group; if negative, of rows that are missing. */
  readonly more: number
  /** The number of groups in streams that were never opened. */
  readonly stray: number
  /** The number of events that wait for the next checkpoint. */
  readonly waiting: number
  /** The number of rows from before there were proofs. */
  readonly unproven: number
  /** The number of rows without proof from about the time of the upgrade, when nodes of the former version may have written. */
  readonly older: number
}

const count = raw<number>`cast(count(*) as bigint)`.as('count')

function* countRows(
  sql: Sql,
  { groups, kept, keptFrom }: Checked,
  newest: Checkpoint | null,
): Transaction<Counted> {
  const provenFrom = yield* provenSince(sql, newest)
  // -Infinity leaves out the condition on the time: a forged row may have any time, even one that is no number.
  const since = Math.max(keptFrom, provenFrom) || Number.NEGATIVE_INFINITY
  const rowsOf = sql.db.selectFrom('audit').select(count)
  const parts = yield* auditParts(sql)
  const countFrom = function* (from: number, to: number, counted: typeof rowsOf): Transaction<number> {
    let sum = 0
    for (const piece of piecesOf(parts, { from, to })) {
      const after = Number.isFinite(piece.from) ? counted.where('at', '>=', piece.from) : counted
      const within = Number.isFinite(piece.to) ? after.where('at', '<', piece.to) : after
      sum += Number((yield* first(within))!.count)
    }
    return sum
  }
  const events = rowsOf.where('stream', 'is', null).where('kind', '=', raw.lit('event' as const))
  const newestClock = newest === null ? 0 : Math.min(clockOf(newest), yield* sql.clock())
  const mayWait = Math.max(since, newestClock - CHECKPOINT_SLACK_MS)
  const waiting = yield* countFrom(mayWait, ALL_TIMES.to, events)
  const all = yield* countFrom(since, Number.POSITIVE_INFINITY, rowsOf)
  const unproven = provenFrom === 0 ? 0 : yield* countFrom(0, provenFrom, rowsOf)
  const calls = rowsOf.where('stream', 'is', null).where('kind', '!=', raw.lit('event' as const))
  const older = provenFrom === 0 ? 0 : yield* countFrom(since, provenFrom + UPGRADE_MS, calls)
  const found = yield* first(sql.db.selectFrom('audit_groups').select(count))
  const stray = Number(found!.count) - groups
  return { more: all - waiting - older - kept, stray, waiting, unproven, older }
}
