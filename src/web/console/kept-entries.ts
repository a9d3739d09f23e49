/** Keeps the entries of each operation while the tab is open, until the key is forgotten. */
import type { Entries } from './entries.ts'
import { tabStorage } from './tab-storage.ts'

interface Kept {
  readonly entries: Entries
  /** The address that has them, or that of the page. */
  readonly address: string
}

const kept = new Map<string, Kept>()

export const keptOf = (id: string): Kept | undefined => kept.get(id)

export const keepEntries = (id: string, entries: Entries, address: string): void =>
  void kept.set(id, { entries, address })

export function forgetEntries() {
  for (const { entries } of kept.values()) entries.table.worker?.close()
  kept.clear()
  tabStorage.setItem(PERIOD, String(period() + 1))
}

const PERIOD = 'quantd-period'

/** The number of the time between two log-outs of this tab. */
const period = (): number => Number(tabStorage.getItem(PERIOD) ?? 0)

/** Shows the entries in the address, in place of the present one. */
export function replaceAddress(address: string): void {
  if (location.hash !== address || history.state === null) history.replaceState(period(), '', address)
}

/** Whether a page may show the entries in its address: a page of this tab wrote them since the last log-out, or a link has them. */
export const isOfPresentPeriod = (state: unknown): boolean => state === null || state === period()
