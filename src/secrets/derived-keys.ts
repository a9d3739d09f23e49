/** One key per purpose out of each master key, so that no two uses ever share one. */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { MasterKey, MasterKeys } from './master-keys.ts'

interface DerivedKey {
  readonly id: string
  readonly key: KeyObject
}

/** HKDF-SHA-256 (RFC 5869) with the purpose as info; derived once, then kept as long as the master keys stay. */
export function derivedKeys(masterKeys: MasterKeys) {
  let source: readonly MasterKey[] = []
  let kept = new Map<string, readonly DerivedKey[]>()
  const all = (purpose: string): readonly DerivedKey[] => {
    const present = masterKeys.list()
    if (present !== source) {
      source = present
      kept = new Map()
    }
    const known = kept.get(purpose)
    if (known !== undefined) return known
    const derived = present.map((master) => ({ id: master.id, key: derive(master, purpose) }))
    kept.set(purpose, derived)
    return derived
  }
  return {
    /** Under each master key, the writing one first. */
    all,
    /** Under the master key of this id; null where it is not among the present ones. */
    one: (purpose: string, id: string): KeyObject | null =>
      all(purpose).find((key) => key.id === id)?.key ?? null,
  }
}

const derive = (master: MasterKey, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', master.secret, '', `quantd v1 ${purpose}`, 32)))
