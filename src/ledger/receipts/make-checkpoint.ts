/** Makes a checkpoint: puts events that have no proof yet into groups, and signs the new groups of each stream. */

import { randomUUID } from 'node:crypto'
import { sql as raw } from 'kysely'
import {
  CHECKPOINT_EVENTS,
  CHECKPOINT_GROUPS,
  CHECKPOINT_SLACK_MS,
  STREAM_MS,
} from '../../base/limits/operation.ts'
import { DAY_MS } from '../../base/time.ts'
import type { Vault } from '../../secrets/vault.ts'
import { treeRoot } from '../../wire/proofs/hash.ts'
import { canonical } from '../../wire/receipt-check/receipt-values.ts'
import { prove, type Stream } from '../proofs/group.ts'
import type { AuditRow } from '../rules/types.ts'
import { startOfDay } from '../store/audit.ts'
import { type EventOrigin, writeEvent } from '../store/events.ts'
import { keepOnce } from '../store/facts.ts'
import { awaitLock, CHECKPOINT_LOCK, takeLock } from '../store/locks.ts'
import { first, rows, type Sql, type Transaction } from '../store/sql.ts'
import { openStream } from '../store/streams.ts'
import {
  type Checkpoint,
  checkpointHash,
  clockOf,
  lastCheckpoint,
  provenSince,
  type SignedCheckpoint,
  type StreamEntry,
} from './checkpoint.ts'
import { auditRowFrom, auditRows } from './proven-rows.ts'
import { addKey, keyId, type NewSigningKey, newSigningKey, presentKey, signatureBy } from './signing-keys.ts'

const SERVICE_ID = 'audit service'

interface CheckpointOptions {
  readonly vault: Vault
  /** The time for which audit rows are kept; null: for ever. */
  readonly retentionMs: number | null
  /** The stream of this node's events; null: it has none yet. */
  readonly eventStream: Stream | null
  /** The key that signs all later checkpoints. A rotation waits for another node that is making a checkpoint. */
  readonly rotateTo?: NewSigningKey
}

interface Made {
  /** Null: there was nothing to sign, or there are events which must get their groups first. */
  readonly checkpoint: SignedCheckpoint | null
  readonly eventStream: Stream | null
  /** Whether another call is needed, because there was more than one checkpoint takes. */
  readonly more: boolean
}

/** Null: another node is making a checkpoint. */
export function* makeCheckpoint(sql: Sql, options: CheckpointOptions): Transaction<Made | null> {
  if (options.rotateTo !== undefined) yield* awaitLock(sql, CHECKPOINT_LOCK)
  else if (!(yield* takeLock(sql, CHECKPOINT_LOCK))) return null
  const now = yield* sql.clock()
  const last = yield* lastCheckpoint(sql)
  const provenFrom = yield* provenSince(sql, last)
  const lastClock = last === null ? 0 : Math.min(clockOf(last), now)
  const since = Math.max(provenFrom, lastClock - CHECKPOINT_SLACK_MS)
  let eventStream = options.eventStream
  for (let isAll = false; !isAll; ) {
    const waiting = yield* waitingEvents(sql, since)
    eventStream = yield* proveEvents(sql, eventStream, waiting, now)
    isAll = waiting.length < CHECKPOINT_EVENTS
    // If this checkpoint were made now, the other events could be too old for the next: events from long before are not proven.
    if (!isAll && options.rotateTo === undefined) return { checkpoint: null, eventStream, more: true }
  }
  const { newestAt, streams } = yield* advancedStreams(sql, now, lastClock - STREAM_MS)
  const keptFrom = Math.max(last?.kept_from ?? 0, keptSince(now, options.retentionMs))
  const isNew =
    last === null || streams.length > 0 || keptFrom > last.kept_from || options.rotateTo !== undefined
  const made = isNew
    ? yield* sign(sql, options, now, {
        // If the clock was ahead, the last checkpoint or a group may have a time in the future.
        at: Math.max(now, last?.at ?? 0, newestAt),
        kept_from: keptFrom,
        number: (last?.number ?? 0) + 1,
        previous: last === null ? null : checkpointHash(last),
        proven_from: provenFrom,
        service: last?.service ?? (yield* keepOnce(sql, SERVICE_ID, randomUUID())),
        streams,
      })
    : null
  const groups = streams.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  return { checkpoint: made, eventStream, more: groups >= CHECKPOINT_GROUPS }
}

/** The time from which rows are kept: the start of a day, so that no group is divided. */
const keptSince = (now: number, retentionMs: number | null): number =>
  retentionMs === null ? 0 : Math.max(0, startOfDay(now - retentionMs))

/** Events that have no proof yet. An event with an earlier time than `since` gets none: only a forger can have written it. */
function* waitingEvents(sql: Sql, since: number): Transaction<AuditRow[]> {
  const found = yield* rows(
    auditRows(sql)
      .where('stream', 'is', null)
      .where('kind', '=', raw.lit('event' as const))
      .where('at', '>=', since)
      .orderBy('at')
      .limit(CHECKPOINT_EVENTS),
  )
  return found.map(auditRowFrom)
}

/** Makes a group of all events of each time. */
function* proveEvents(
  sql: Sql,
  known: Stream | null,
  waiting: readonly AuditRow[],
  now: number,
): Transaction<Stream | null> {
  if (waiting.length === 0) return known
  let stream = known === null ? yield* openStream(sql) : yield* upToDate(sql, known)
  for (const events of Map.groupBy(waiting, ({ at }) => at).values()) {
    // Events have salts of their own: the addresses of operators are kept when those of the account are erased.
    const { audit, groups, salts, stream: next } = prove(stream, events)
    for (const { accountId, at, groupNumber, id } of audit)
      yield* rows(
        sql.db
          .updateTable('audit')
          .set({
            stream: stream.id,
            group_number: groupNumber,
            address: Buffer.from(salts.get(accountId ?? 0)!.salt, 'hex'),
          })
          .where('account_id', '=', accountId)
          .where('at', '=', at)
          .where('id', '=', id),
      )
    const values = groups.map(({ accountId, link, ...group }) => ({
      ...group,
      account_id: accountId,
      link: Buffer.from(link, 'hex'),
    }))
    yield* rows(sql.db.insertInto('audit_groups').values(values))
    stream = next
  }
  // A stream that was not signed for long counts as ended (`advancedStreams`); this one has new groups.
  yield* rows(sql.db.updateTable('audit_streams').set({ signed_at: now }).where('id', '=', stream.id))
  return stream
}

/** The stream after its last group in the database: this node may not know whether its last transaction was committed. */
function* upToDate({ db }: Sql, stream: Stream): Transaction<Stream> {
  const groups = db.selectFrom('audit_groups').select(['number', 'link']).where('stream', '=', stream.id)
  const last = yield* first(groups.orderBy('number', 'desc').limit(1))
  return last === undefined
    ? stream
    : { ...stream, number: last.number, link: Buffer.from(last.link).toString('hex') }
}

/**
 * The groups that each stream has gained since the last checkpoint with groups of it, and the latest of their times.
 * @param since streams that were last signed before this time have ended, and are not read
 */
function* advancedStreams(
  sql: Sql,
  now: number,
  since: number,
): Transaction<{ readonly newestAt: number; readonly streams: StreamEntry[] }> {
  const known = yield* rows(
    sql.db.selectFrom('audit_streams').select(['id', 'signed']).where('signed_at', '>', since).orderBy('id'),
  )
  const streams: StreamEntry[] = []
  let newestAt = 0
  let left = CHECKPOINT_GROUPS
  for (let at = 0; at < known.length && left > 0; at += STREAMS_AT_ONCE) {
    const page = known.slice(at, at + STREAMS_AT_ONCE)
    const found = yield* rows(
      sql.db
        .selectFrom('audit_groups')
        .select(['stream', 'number', 'at', 'link'])
        .where((where) =>
          where.or(
            page.map(({ id, signed }) => where.and([where('stream', '=', id), where('number', '>', signed)])),
          ),
        )
        .orderBy('stream')
        .orderBy('number')
        .limit(left),
    )
    left -= found.length
    for (const { id: stream, signed: before } of page) {
      const groups = following(
        found.filter((group) => group.stream === stream),
        before,
      )
      if (groups.length === 0) continue
      const links = groups.map(({ link }) => Buffer.from(link).toString('hex'))
      const { number: last } = groups[groups.length - 1]
      newestAt = groups.reduce((newest, { at }) => Math.max(newest, at), newestAt)
      streams.push({
        stream,
        first: groups[0].number,
        last,
        head: links[links.length - 1],
        root: treeRoot(links),
      })
      const signed = sql.db.updateTable('audit_streams').set({ signed: last, signed_at: now })
      yield* rows(signed.where('id', '=', stream))
    }
  }
  // After days without checkpoints, the streams that this one has not reached would otherwise count as ended at the next one.
  if (left <= 0 && now - since > 1.5 * STREAM_MS)
    yield* rows(sql.db.updateTable('audit_streams').set({ signed_at: now }).where('signed_at', '>', since))
  return { newestAt, streams }
}

/**
 * The groups that follow the last signed one without a gap. There may be gaps, because a database of several servers is not
 * read at one moment: a group may be found, but not yet the one before it.
 */
const following = <Group extends { readonly number: number }>(
  groups: readonly Group[],
  signed: number,
): Group[] => groups.filter(({ number }, index) => number === signed + 1 + index)

const STREAMS_AT_ONCE = 100

function* sign(
  sql: Sql,
  { rotateTo, vault }: CheckpointOptions,
  now: number,
  body: Omit<Checkpoint, 'clock' | 'key' | 'next_key'>,
): Transaction<SignedCheckpoint> {
  const key = yield* signingKey(sql, vault, body.at)
  // The clock may have been set back since the first start, and a key signs nothing from before its own time.
  const at = Math.max(body.at, key.createdAt)
  const next = rotateTo === undefined ? {} : { next_key: keyId(rotateTo.publicKey) }
  const clock = at - now > CHECKPOINT_SLACK_MS ? { clock: now } : {}
  const checkpoint = { ...body, at, ...clock, key: keyId(key.publicKey), ...next }
  const text = canonical(checkpoint)
  const signers = rotateTo === undefined ? [key] : [key, rotateTo]
  const signatures = signers.map((signer) => signatureBy(vault, signer, text))
  if (rotateTo !== undefined) {
    yield* rows(sql.db.updateTable('signing_keys').set({ retired_at: at }).where('id', '=', key.id))
    yield* addKey(sql, rotateTo, at)
  }
  yield* rows(
    sql.db
      .insertInto('checkpoints')
      .values({ number: body.number, at, body: text, signatures: JSON.stringify(signatures) }),
  )
  return { checkpoint, signatures }
}

/** Makes the key that signs, unless the database has it. */
export function* makeFirstKey(sql: Sql, vault: Vault): Transaction<void> {
  if ((yield* presentKey(sql)) !== null) return
  // Another node may be making it.
  yield* awaitLock(sql, CHECKPOINT_LOCK)
  yield* signingKey(sql, vault, yield* sql.clock())
}

/** The key that signs now; if there is none, it is made. @param at when */
function* signingKey(sql: Sql, vault: Vault, at: number) {
  const present = yield* presentKey(sql)
  if (present !== null) return present
  yield* addKey(sql, newSigningKey(vault), at)
  return (yield* presentKey(sql))!
}

/** `from`: rows from before this time may be deleted. */
export function* keptFrom(sql: Sql): Transaction<{ readonly from: number; readonly now: number }> {
  const last = yield* lastCheckpoint(sql)
  return { from: last?.kept_from ?? 0, now: yield* sql.clock() }
}

interface KeyRotation {
  readonly vault: Vault
  readonly retentionDays: number | null
  readonly event: EventOrigin
}

/** The present key signs a last checkpoint, which names the new key; the new key signs it, too. */
export function* rotateSigningKey(
  sql: Sql,
  { event, retentionDays, vault }: KeyRotation,
): Transaction<{ readonly key: string; readonly number: number }> {
  const rotateTo = newSigningKey(vault)
  const key = keyId(rotateTo.publicKey)
  const at = yield* sql.clock()
  yield* writeEvent(sql, event, {
    at,
    accountId: null,
    keyId: null,
    name: 'signing_key_rotated',
    facts: { key },
  })
  const retentionMs = retentionDays === null ? null : retentionDays * DAY_MS
  const made = yield* makeCheckpoint(sql, { vault, retentionMs, eventStream: null, rotateTo })
  return { key, number: made!.checkpoint!.checkpoint.number }
}
