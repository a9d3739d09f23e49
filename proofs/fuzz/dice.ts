/** Random choices of a run, drawn from its seed. */
import { chance } from '../torture/schedule.ts'

export interface Dice {
  /** In [0, 1). */
  fraction(): number
  /** A whole number from low to high, both included. */
  whole(low: number, high: number): number
  pick<Item>(items: readonly Item[]): Item
  /** True once in n draws on average. */
  oneIn(n: number): boolean
  /** An item with a probability proportional to its weight. */
  weighted<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item
}

/** The same seeds give the same draws. */
export function dice(...seeds: readonly number[]): Dice {
  const fraction = chance(...seeds)
  const whole = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1))
  return {
    fraction,
    whole,
    pick: (items) => items[whole(0, items.length - 1)]!,
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
