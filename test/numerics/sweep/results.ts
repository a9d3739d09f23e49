/** The kept results of the sweeps, which docs/accuracy.md shows. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const RESULTS = fileURLToPath(new URL('./results.json', import.meta.url))

/** One operation's comparison with exact arithmetic at drawn inputs. */
export interface Swept {
  readonly path: string
  /** Which inputs were drawn. */
  readonly domain: string
  readonly points: number
  readonly refused: number
  /** Without an exact value. */
  readonly skipped: number
  readonly wrong: number
  /** Largest relative error. */
  readonly worst: number
  /** Largest error as a share of its tolerance. */
  readonly share: number
}

export const keptRows = (): Swept[] => (existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : [])
