/** Keeps the entries of each operation while the tab is open, until the key is forgotten. */
// @ts-nocheck: to be converted
const kept = new Map()

export const entriesOf = (id) => kept.get(id)

export const keepEntries = (id, entries) => kept.set(id, entries)

export function forgetEntries() {
  for (const { table } of kept.values()) table.worker?.close()
  kept.clear()
}
