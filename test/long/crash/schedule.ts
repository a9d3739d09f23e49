/** The plan of a crash run, drawn from its seed: the faults with their times, and the calls of each client. */
import type { Cut } from '../../support/commit-proxy.ts'
import { random } from '../../support/random.ts'

/** Returns the next number in [0, 1); the same seeds give the same numbers. */
export type Chance = () => number

const DATABASES = ['sqlite', 'postgres', 'citus'] as const
export type DatabaseKind = (typeof DATABASES)[number]
export const isDatabase = (name: string): name is DatabaseKind =>
  (DATABASES as readonly string[]).includes(name)

/** Each kind of fault, with the databases that it applies to. On Citus most strike one of the three servers. */
export const FAULTS = {
  /** kill -9 of a node. */
  node: DATABASES,
  /** kill -9 of one of the processes that share a port, which is replaced; only with several. */
  process: ['postgres', 'citus'],
  /** SIGSTOP of all processes of a node, then SIGCONT. */
  pause: DATABASES,
  /** Another session locks a table or an account's row; on SQLite another process locks the file. */
  locked: DATABASES,
  /** A second service is started on the data folder of a running one. */
  second: DATABASES,
  /** The disk under the database is full. */
  full: ['sqlite', 'postgres'],
  /** The file system of the data folder becomes read-only, as after an error of the disk. */
  'read-only': ['sqlite'],
  /** kill -9 of the node, and what was not forced to disk is lost. */
  power: ['sqlite'],
  /** The next flush of the write-ahead log fails. */
  flush: ['sqlite'],
  /** kill -9 of the database, half of the time also of a node before the database is back. */
  database: ['postgres'],
  /** kill -9 of a worker, with all its processes. */
  worker: ['citus'],
  /** kill -9 of the coordinator. */
  coordinator: ['citus'],
  /** A shard moves to another worker, and a further fault strikes meanwhile. */
  move: ['citus'],
  /** The connection is cut when a COMMIT passes. */
  commit: ['postgres', 'citus'],
  /** SIGSTOP of all processes of the database, then SIGCONT. */
  freeze: ['postgres', 'citus'],
  /** All connections are ended, and only a few are accepted. */
  connections: ['postgres'],
  /** Sessions with a time-out of a few milliseconds. */
  timeouts: ['postgres'],
  /** Connections are ended again and again by pg_terminate_backend. */
  terminate: ['postgres'],
  /** Statements are cancelled again and again by pg_cancel_backend. */
  cancel: ['postgres'],
  /** The network delivers nothing for a while; then what was sent, or a reset. */
  stall: ['postgres', 'citus'],
  /** One direction of every connection is closed. */
  'half-closed': ['postgres', 'citus'],
} as const satisfies Record<string, readonly DatabaseKind[]>

export type FaultKind = keyof typeof FAULTS

export interface Fault {
  readonly kind: FaultKind
  /** The node that is struck, if the fault strikes one. */
  readonly node: number
  readonly afterMs: number
  /** Its duration, for the kinds that last. */
  readonly forMs: number
  /** Where a connection is cut, for `commit` and before a server of the database is killed; null: none is cut before the kill. */
  readonly where: Cut | null
  /** In [0, 1): chooses between the variants of a kind. */
  readonly variant: number
}

/** Faults per round. */
export type FaultCounts = Readonly<Partial<Record<FaultKind, number>>>

/** A call as a client makes it; `again` repeats one that was answered, `other` its key with another body. */
export interface PlannedCall {
  readonly kind: 'compute' | 'fail' | 'large' | 'again' | 'other'
  readonly wealth: number
  readonly node: number
  readonly pauseMs: number
}

export const chance = (...seeds: readonly number[]): Chance =>
  random(seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) ^ (mixed >>> 15), 0x2545f491))

/** The faults of a round, in the order in which they strike, one after another. */
export function faultsOf(seed: number, round: number, counts: FaultCounts, nodes: number): Fault[] {
  const draw = chance(seed, round, 0)
  const kinds = Object.entries(counts).flatMap(([kind, count]) =>
    Array<FaultKind>(count).fill(kind as FaultKind),
  )
  return shuffled(kinds, draw).map((kind) => ({
    kind,
    node: integer(draw, 0, nodes - 1),
    afterMs: integer(draw, 50, 500),
    // A lock of 30 s is longer than every time-out of the service.
    forMs: kind === 'locked' && draw() < 0.25 ? 30_000 : integer(draw, 300, 4_000),
    where: pick(
      draw,
      kind === 'commit'
        ? (['before', 'behind', 'reply', 'panic'] as const)
        : (['behind', 'reply', 'reply', null] as const),
    ),
    variant: draw(),
  }))
}

/** The next call of a client. */
export function plannedCall(draw: Chance, nodes: number): PlannedCall {
  const share = draw()
  return {
    kind:
      share < 0.72
        ? 'compute'
        : share < 0.82
          ? 'fail'
          : share < 0.94
            ? 'large'
            : share < 0.98
              ? 'again'
              : 'other',
    wealth: integer(draw, 1, 1_000_000),
    node: integer(draw, 0, nodes - 1),
    pauseMs: integer(draw, 0, 20),
  }
}

const integer = (draw: Chance, low: number, high: number): number =>
  low + Math.floor(draw() * (high - low + 1))

const pick = <Item>(draw: Chance, items: readonly Item[]): Item => items[integer(draw, 0, items.length - 1)]

function shuffled<Item>(items: readonly Item[], draw: Chance): Item[] {
  const order = [...items]
  for (let last = order.length - 1; last > 0; last--) {
    const other = integer(draw, 0, last)
    ;[order[last], order[other]] = [order[other], order[last]]
  }
  return order
}
