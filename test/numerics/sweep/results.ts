/** The kept results of the sweeps, which docs/accuracy.md shows. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Swept } from '../../../src/cli/selftest.ts'

export const RESULTS = fileURLToPath(new URL('./results.json', import.meta.url))

/** One operation's sweep. */
export type SweptRow = Swept

export const keptRows = (): SweptRow[] =>
  existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : []
