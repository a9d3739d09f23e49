/** Derives one key per purpose from each master key, so that no two purposes share a key. */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { MasterKey, MasterKeys } from './master-keys.ts'

interface DerivedKey {
  readonly id: string
  readonly key: KeyObject
}

/** HKDF-SHA-256 (RFC 5869) with the purpose as info. Derived keys are cached until the master keys change. */
export function derivedKeys(masterKeys: MasterKeys) {
  let source: readonly MasterKey[] = []
  let derivedBy = new Map<string, readonly DerivedKey[]>()
  const all = (purpose: string): readonly DerivedKey[] => {
    const present = masterKeys.list()
    if (present !== source) {
      source = present
      derivedBy = new Map()
    }
    const known = derivedBy.get(purpose)
    if (known !== undefined) return known
    const derived = present.map((master) => ({ id: master.id, key: derive(master, purpose) }))
    derivedBy.set(purpose, derived)
    return derived
  }
  return {
    /** One per master key, that of the writing key first. */
    all,
    /** From the master key with this id; null if the service does not have it. */
    one: (purpose: string, id: string): KeyObject | null =>
      all(purpose).find((key) => key.id === id)?.key ?? null,
  }
}

const derive = (master: MasterKey, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', master.secret, '', `quantd v1 ${purpose}`, 32)))
