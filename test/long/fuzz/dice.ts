/** The random choices of a run, determined by its seed. */
import { chance } from '../crash/schedule.ts'

export interface Dice {
  /** A number in [0, 1). */
  fraction(): number
  /** An integer from low to high, both included. */
  integer(low: number, high: number): number
  pick<Item>(items: readonly Item[]): Item
  /** True once in n draws on average. */
  oneIn(n: number): boolean
  /** An item with a probability proportional to its weight. */
  weighted<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item
}

/** Returns a source of random choices; the same seeds give the same choices. */
export function dice(...seeds: readonly number[]): Dice {
  const fraction = chance(...seeds)
  const integer = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1))
  return {
    fraction,
    integer,
    pick: (items) => items[integer(0, items.length - 1)],
    oneIn: (n) => fraction() * n < 1,
    weighted(items) {
      let left = fraction() * items.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, item] of items) {
        left -= weight
        if (left < 0) return item
      }
      return items.at(-1)![1]
    },
  }
}
