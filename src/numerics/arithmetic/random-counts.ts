/** Random counts of independent events, by comparing random bits: the same on every machine, and exact. */
import { spend } from '../budget.ts'
import { type Random, randomFraction } from './random.ts'

const WORD_BITS = 32

/**
 * A multinomial count: how many of `total` draws fall on each cell, with chances proportional to the weights. Each cell takes a
 * binomial count of the draws that are left.
 * @param total whole number
 * @param weights whole numbers with a sum below 2⁵², not all 0
 */
export function multinomialCounts(random: Random, total: number, weights: Float64Array): Float64Array {
  let whole = weights.reduce((sum, weight) => sum + weight, 0)
  let left = total
  return weights.map((weight) => {
    const count = binomialCount(random, left, weight, whole)
    left -= count
    whole -= weight
    return count
  })
}

/**
 * A binomial count: how many uniform numbers in [0, 1) are below part/whole. The numbers are compared with the fraction bit by
 * bit; each bit decides about half of those that are left.
 */
function binomialCount(random: Random, numbers: number, part: number, whole: number): number {
  if (part === whole) return numbers
  let below = 0
  let undecided = numbers
  for (let rest = part; rest > 0 && undecided > 0; ) {
    spend(0.01 + 0.0002 * undecided)
    const ones = randomOnes(random, undecided)
    rest *= 2
    if (rest >= whole) {
      rest -= whole
      below += undecided - ones
      undecided = ones
    } else undecided -= ones
  }
  return below
}

function randomOnes(random: Random, bits: number): number {
  let ones = 0
  let left = bits
  for (; left >= WORD_BITS; left -= WORD_BITS) ones += onesOf(random())
  return left === 0 ? ones : ones + onesOf(random() & (2 ** left - 1))
}

/** The number of ones in a word, added up in pairs, fours and eights (Warren 2013, ch. 5). */
function onesOf(word: number): number {
  let sums = word - ((word >>> 1) & 0x55555555)
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333)
  return Math.imul((sums + (sums >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The largest mean of a Poisson count that is drawn at once. */
const CHUNK = 64

/** A Poisson count, whose mean is a whole number, as the sum of counts of smaller means. */
export function poissonCount(random: Random, mean: number): number {
  spend(0.1 + 0.002 * mean)
  let count = 0
  for (let left = mean; left > 0; ) {
    const { size, cumulative } = left >= CHUNK ? large : single
    const place = randomFraction(random)
    let drawn = 0
    while (place >= cumulative[drawn]) drawn++
    count += drawn
    left -= size
  }
  return count
}

const large = poissonTable(CHUNK)
const single = poissonTable(1)

/** Chances of at most 0, 1, … events; the last is 1. */
function poissonTable(size: number): { readonly size: number; readonly cumulative: Float64Array } {
  const cumulative = [Math.exp(-size)]
  for (let chance = cumulative[0], k = 1; cumulative[k - 1] < 1; k++) {
    chance *= size / k
    const next = cumulative[k - 1] + chance
    cumulative.push(next > cumulative[k - 1] ? next : 1)
  }
  return { size, cumulative: Float64Array.from(cumulative) }
}
