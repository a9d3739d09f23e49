/** The plan of a torture run, drawn from its seed: the faults with their times, and the calls of each client. */

/** A number in [0, 1) at each call; the same seed gives the same numbers (Mulberry32, T. Ettinger 2017). */
export type Chance = () => number

export type Fault =
  | { readonly kind: 'node'; readonly node: number; readonly afterMs: number }
  /** With a commit of this node cut just before, where that is not null: then nobody can tell what became of it. */
  | {
      readonly kind: 'database'
      readonly node: number
      readonly afterMs: number
      readonly awayMs: number
      readonly where: Cut | null
    }
  | { readonly kind: 'commit'; readonly node: number; readonly afterMs: number; readonly where: Cut }

/** Where a connection is cut when a COMMIT passes: before it, right behind it, or on its reply. */
export type Cut = 'before' | 'behind' | 'reply'

export interface FaultCounts {
  readonly node: number
  readonly database: number
  readonly commit: number
}

/** A call as a client makes it; `again` repeats one that was answered, `other` its key with another body. */
export interface PlannedCall {
  readonly kind: 'compute' | 'fail' | 'large' | 'again' | 'other'
  readonly wealth: number
  readonly node: number
  readonly pauseMs: number
}

export function chance(...seeds: readonly number[]): Chance {
  let state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) ^ (mixed >>> 15), 0x2545f491)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The faults of a round, in the order in which they strike, one after another. */
export function faultsOf(seed: number, round: number, counts: FaultCounts, nodes: number): Fault[] {
  const draw = chance(seed, round, 0)
  const kinds = Object.entries(counts).flatMap(([kind, count]) => Array(count).fill(kind) as Fault['kind'][])
  return shuffled(kinds, draw).map((kind): Fault => {
    const afterMs = integer(draw, 50, 500)
    const node = integer(draw, 0, nodes - 1)
    if (kind === 'database')
      return {
        kind,
        node,
        afterMs,
        awayMs: integer(draw, 300, 1_800),
        where: pick(draw, ['behind', 'reply', 'reply', null]),
      }
    if (kind === 'node') return { kind, node, afterMs }
    return { kind, node, afterMs, where: pick(draw, ['before', 'behind', 'reply']) }
  })
}

/** The next call of a client. */
export function plannedCall(draw: Chance, nodes: number): PlannedCall {
  const share = draw()
  return {
    kind:
      share < 0.78
        ? 'compute'
        : share < 0.88
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

const pick = <Item>(draw: Chance, items: readonly Item[]): Item => items[integer(draw, 0, items.length - 1)]!

function shuffled<Item>(items: readonly Item[], draw: Chance): Item[] {
  const order = [...items]
  for (let last = order.length - 1; last > 0; last--) {
    const other = integer(draw, 0, last)
    ;[order[last], order[other]] = [order[other]!, order[last]!]
  }
  return order
}
