/** Keeps the entries of each operation while the tab is open, until the key is forgotten. */
import type { Entries } from './entries.ts'

const kept = new Map<string, Entries>()

export const entriesOf = (id: string): Entries | undefined => kept.get(id)

export const keepEntries = (id: string, entries: Entries): void => void kept.set(id, entries)

export function forgetEntries() {
  for (const { table } of kept.values()) table.worker?.close()
  kept.clear()
}
