/** Counts of rating moves from histories: what migration matrices and generators are estimated from. */
import { DomainError } from '../domain-error.ts'
import type { Matrix } from './matrix.ts'

export interface RatingRows {
  /** By row, the number of its entity, from 0 on. */
  readonly entities: Uint32Array
  /** By row, the time from which on the rating holds, in any unit. */
  readonly times: Float64Array
  /** By row, the place of the rating, from 0 on; the last one is default. `count`: withdrawn. */
  readonly ratings: Uint16Array
  /** Ratings, with default. */
  readonly count: number
}

/** In the unit of the times. */
export interface ObservationWindow {
  readonly start: number
  readonly end: number
  /** When cohorts are looked at, from the start on, rising; empty: every move is counted. */
  readonly looks: Float64Array
}

export interface RatingHistory {
  /** Moves from the row's rating to the column's; of cohorts, the diagonal counts those who stayed. */
  readonly transitions: Matrix
  /** Time spent in each rating. */
  readonly exposures: Float64Array
  /** Entities with a rating, other than default, in the window; of cohorts, at a look but the last. */
  readonly entities: number
  /** Moves out of the ratings; of cohorts, ratings that are withdrawn at the next look. */
  readonly withdrawals: number
  /** Time between the withdrawal of a rating and the next one, or the end. */
  readonly unratedTime: number
}

/** Times that differ by less count as equal when ratings are looked at: start + k·period is rounded. */
const SAME = 1e-9
/** The looks take memory. */
const MOST_PERIODS = 10_000
/** Longer histories of one entity are sorted by the engine. */
const SHORT = 24

/**
 * Rows in any order; of several of one entity at one time the last one given holds. A rating holds until the next row of its
 * entity or the end of the window; default is never left, so that later rows of the entity do not count. Rows before the window say
 * with which rating it begins.
 *
 * Without looks, the counts and exposures of the method of durations (Lando & Skødeberg 2002, eq. 3): moves after the start, to
 * the end, and the time in each rating, summed with compensation. With looks, the counts of cohorts (Jarrow, Lando & Turnbull
 * 1997): at each look but the last the rating then and at the next one; who is withdrawn then is left out.
 */
export function ratingHistory(rows: RatingRows, window: ObservationWindow): RatingHistory {
  const { entities, times, ratings, count } = rows
  for (const [name, { length }] of Object.entries({ times, ratings }))
    if (length !== entities.length)
      throw new DomainError(name, `has ${length} values but {entities} has ${entities.length}`)
  if (!(window.end > window.start)) throw new DomainError('end', 'must be after {start}')
  const { ends, ...sorted } = byEntity(rows)
  const sums = new HistorySums(count, window)
  for (let entity = 0, from = 0; entity < ends.length; from = ends[entity++]) {
    if (ends[entity] === from) continue
    sortByTime(sorted, from, ends[entity])
    sums.add(sorted, from, ends[entity])
  }
  return sums.result()
}

/** The looks from the start on, a period apart, up to the end. */
export function looksEvery(period: number, start: number, end: number): Float64Array {
  if (!(period > 0)) throw new DomainError('period', 'must be greater than 0')
  const periods = Math.floor((end - start + SAME) / period)
  if (periods > MOST_PERIODS)
    throw new DomainError(
      'period',
      `must be longer: the window has ${periods} periods, at most ${MOST_PERIODS}`,
    )
  return Float64Array.from({ length: Math.max(0, periods) + 1 }, (_, look) => start + look * period)
}

/** Times and ratings of rows, those of an entity together. */
interface Spells {
  readonly times: Float64Array
  readonly ratings: Uint16Array
}

/** The rows by entity, in the order given, by counting; those of an entity end before the place in `ends`. */
function byEntity({ entities, times, ratings }: RatingRows): Spells & { readonly ends: Uint32Array } {
  let most = 0
  for (let row = 0; row < entities.length; row++) if (entities[row] > most) most = entities[row]
  const places = new Uint32Array(most + 2)
  for (let row = 0; row < entities.length; row++) places[entities[row] + 1]++
  for (let entity = 0; entity <= most; entity++) places[entity + 1] += places[entity]
  const sorted = { times: new Float64Array(times.length), ratings: new Uint16Array(times.length) }
  for (let row = 0; row < entities.length; row++) {
    const place = places[entities[row]]++
    sorted.times[place] = times[row]
    sorted.ratings[place] = ratings[row]
  }
  return { ...sorted, ends: places.subarray(0, most + 1) }
}

/** Sorts the rows of one entity by time; equal times keep their order. */
function sortByTime({ times, ratings }: Spells, from: number, to: number): void {
  if (to - from > SHORT) {
    const [ownTimes, ownRatings] = [times.slice(from, to), ratings.slice(from, to)]
    const order = Uint32Array.from(ownTimes, (_, row) => row)
    order.sort((one, other) => ownTimes[one] - ownTimes[other] || one - other)
    for (let i = 0; i < order.length; i++) {
      times[from + i] = ownTimes[order[i]]
      ratings[from + i] = ownRatings[order[i]]
    }
    return
  }
  for (let next = from + 1; next < to; next++) {
    const [time, rating] = [times[next], ratings[next]]
    let place = next
    for (; place > from && times[place - 1] > time; place--) {
      times[place] = times[place - 1]
      ratings[place] = ratings[place - 1]
    }
    times[place] = time
    ratings[place] = rating
  }
}

/** The number of the first look, from a number on, that is not before a time; by halving, because there may be many. */
function firstLook(looks: Float64Array, from: number, time: number): number {
  if (from === looks.length || !(looks[from] < time - SAME)) return from
  let [low, high] = [from + 1, looks.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (looks[middle] < time - SAME) low = middle + 1
    else high = middle
  }
  return low
}

/** What is counted while the entities pass by, one after the other. */
class HistorySums {
  readonly #count: number
  readonly #window: ObservationWindow
  readonly #transitions: Float64Array
  /** Time by rating, of withdrawn ones last, with the parts that their rounding leaves off. */
  readonly #times: Float64Array
  readonly #rests: Float64Array
  #entities = 0
  #withdrawals = 0

  constructor(count: number, window: ObservationWindow) {
    this.#count = count
    this.#window = window
    this.#transitions = new Float64Array(count * count)
    this.#times = new Float64Array(count + 1)
    this.#rests = new Float64Array(count + 1)
  }

  /** Adds the rows of one entity, which are sorted by time. */
  add({ times, ratings }: Spells, from: number, to: number): void {
    const { start, end, looks } = this.#window
    const defaulted = this.#count - 1
    const isCohort = looks.length > 0
    let isRated = false
    /** The rating that holds, and from when on; −1 before the first. */
    let rating = -1
    let since = start
    let look = 0
    let before = -1
    for (let row = from; row <= to; row++) {
      const isLast = row === to || times[row] > end
      const time = isLast ? end : times[row]
      // Of several rows at one time the last one holds.
      if (!isLast && row + 1 < to && times[row + 1] === time) continue
      const next = isLast ? looks.length : firstLook(looks, look, time)
      if (next > look) {
        if (before >= 0) this.#look(before, rating, 1)
        before = rating === this.#count || rating === defaulted ? -1 : rating
        if (before >= 0) {
          this.#look(before, before, next - look - 1)
          if (look < looks.length - 1) isRated = true
        }
        look = next
      }
      if (time > start && rating >= 0 && rating !== defaulted) {
        this.#spend(rating, time - since)
        if (rating !== this.#count && !isCohort && time > since) isRated = true
      }
      if (isLast) break
      const later = ratings[row]
      if (rating === defaulted) continue
      if (!isCohort && rating >= 0 && later !== rating && time > start) this.#move(rating, later)
      rating = later
      since = Math.max(start, time)
    }
    if (isRated) this.#entities++
  }

  /** Counts the ratings at so many looks and at the look after each. */
  #look(before: number, now: number, looks: number): void {
    if (now === this.#count) this.#withdrawals += looks
    else this.#transitions[before * this.#count + now] += looks
  }

  /** Counts a move; one from or to a withdrawn rating is no transition. */
  #move(from: number, to: number): void {
    if (from === this.#count) return
    if (to === this.#count) this.#withdrawals++
    else this.#transitions[from * this.#count + to]++
  }

  /** Adds time with compensation (Neumaier 1974). */
  #spend(rating: number, time: number): void {
    const before = this.#times[rating]
    const sum = before + time
    this.#rests[rating] += before >= time ? before - sum + time : time - sum + before
    this.#times[rating] = sum
  }

  result(): RatingHistory {
    const times = this.#times.map((sum, rating) => sum + this.#rests[rating])
    const size = this.#count
    return {
      transitions: { values: this.#transitions, rows: size, columns: size },
      exposures: times.subarray(0, size),
      entities: this.#entities,
      withdrawals: this.#withdrawals,
      unratedTime: times[size],
    }
  }
}
