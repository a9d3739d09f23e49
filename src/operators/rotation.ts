/** Rotates the master key: encrypts every secret under an older key again under the writing key, row by row. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Runner } from '../ledger/store/store.ts'
import { shownOf } from '../secrets/keys.ts'
import { type Vault, VaultError } from '../secrets/vault.ts'
import type { AdminEvent } from './audit-event.ts'
import {
  dropCodes,
  finishRotation,
  type KeptSecret,
  type OlderCodes,
  olderCodes,
  type RewrappedSecret,
  rewrap,
  SECRET_KINDS,
  SECRETS,
  type SecretCount,
  type SecretKind,
  secretCounts,
  secretsPage,
} from './sealed-secrets.ts'

export interface RotationParts {
  readonly store: Runner
  readonly reads: Runner
  readonly vault: Vault
  /** Ids of the current master keys, the writing key first. */
  readonly masterKeyIds: readonly string[]
  readonly report: (progress: RotationProgress) => void
}

export type RotationProgress =
  | { readonly step: 'rewrapped'; readonly kind: SecretKind; readonly count: number }
  | { readonly step: 'waiting for codes'; readonly count: number; readonly until: number }

interface RotationOptions {
  /** Mailed codes under an older key: wait until they have expired, delete them, or leave them. */
  readonly codes: 'wait' | 'drop' | 'leave'
  readonly event: () => AdminEvent
}

export interface Rotation {
  readonly masterKeyId: string
  readonly rewrapped: Readonly<Record<SecretKind, number>>
  readonly codesDropped: number
  /** Secrets that could not be decrypted, by kind and row. */
  readonly damaged: readonly { readonly kind: SecretKind; readonly id: number | string }[]
  /** Null: none is left. */
  readonly codesLeft: OlderCodes | null
  /** Whether every readable secret is under the writing key, so that the older keys may be removed. */
  readonly complete: boolean
}

/** Rows are encrypted with a master key that the service does not have. Nothing was changed. */
export class UnreadableSecrets extends Error {
  override readonly name = 'UnreadableSecrets'
  readonly counts: readonly SecretCount[]

  constructor(counts: readonly SecretCount[]) {
    super('Some secrets are encrypted with a master key that is not among the current ones.')
    this.counts = counts
  }
}

/** Rows per transaction, which takes a few milliseconds; SQLite blocks other writers meanwhile. */
const BATCH = 100
/** Passes over all secrets; those after the first find only rows that nodes wrote in the meantime. */
const SWEEPS = 10
const PAUSE_MS = 1_000

/**
 * May run beside the service, and again after an interruption: secrets already under the writing key are skipped. All
 * nodes must have all keys, and use the first for writing, before the rotation starts. Throws UnreadableSecrets.
 */
export async function rotateMasterKey(parts: RotationParts, options: RotationOptions): Promise<Rotation> {
  const { reads, store, vault } = parts
  const [currentId] = parts.masterKeyIds as [string]
  await refuseUnreadable(parts)
  const rewrapped = Object.fromEntries(SECRET_KINDS.map((kind) => [kind, 0])) as Record<SecretKind, number>
  const damaged = new Map<string, { kind: SecretKind; id: number | string }>()
  let left: readonly SecretCount[] = []
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const kind of SECRET_KINDS) rewrapped[kind] += await sweepKind(parts, kind, currentId, damaged)
    left = await store.run(finishRotation, {
      currentId,
      fingerprint: vault.fingerprint(),
      event: options.event(),
    })
    if (left.length === 0 || damaged.size > 0) break
    await sleep(PAUSE_MS)
  }
  const codesDropped = options.codes === 'drop' ? await store.run(dropCodes, currentId) : 0
  if (options.codes === 'wait') await waitForCodes(parts, currentId)
  const codesLeft = await reads.run(olderCodes, currentId)
  return {
    masterKeyId: currentId,
    rewrapped,
    codesDropped,
    damaged: [...damaged.values()],
    codesLeft,
    complete: left.length === 0 && codesLeft === null,
  }
}

async function refuseUnreadable({ masterKeyIds, reads }: RotationParts): Promise<void> {
  const counts = await reads.run(secretCounts)
  const unreadable = counts.filter(({ masterKeyId }) => !masterKeyIds.includes(masterKeyId))
  if (unreadable.length > 0) throw new UnreadableSecrets(unreadable)
}

/** Rewraps all secrets of a kind in the order of their ids; returns their number. */
async function sweepKind(
  parts: RotationParts,
  kind: SecretKind,
  currentId: string,
  damaged: Map<string, { kind: SecretKind; id: number | string }>,
): Promise<number> {
  let done = 0
  for (let after: number | string | null = null; ; ) {
    const page: readonly KeptSecret[] = await parts.reads.run(secretsPage, {
      kind,
      currentId,
      after,
      limit: BATCH,
    })
    if (page.length === 0) return done
    const ready: RewrappedSecret[] = []
    for (const secret of page) {
      const one = rewrapped(parts.vault, kind, secret)
      if (one === null) damaged.set(`${kind} ${secret.id}`, { kind, id: secret.id })
      else ready.push(one)
    }
    const startedAt = performance.now()
    if (ready.length > 0) done += await parts.store.run(rewrap, kind, ready)
    parts.report({ step: 'rewrapped', kind, count: done })
    after = page.at(-1)!.id
    // Pauses as long as the transaction took, so that the service gets half of the time.
    await sleep(performance.now() - startedAt)
  }
}

/** null: it cannot be decrypted. */
function rewrapped(vault: Vault, kind: SecretKind, secret: KeptSecret): RewrappedSecret | null {
  const { id, masterKeyId, owner, sealed } = secret
  const { purpose } = SECRETS[kind]
  try {
    const plain = vault.open(purpose, secret, owner)
    return {
      id,
      from: { masterKeyId, sealed },
      to: vault.seal(purpose, plain, owner),
      key: kind === 'api_key' ? { hash: vault.lookupHashes(plain)[0].hash, ...shownOf(plain) } : null,
    }
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}

/** New codes are under the writing key, so the number under older keys only decreases. */
async function waitForCodes({ reads, report }: RotationParts, currentId: string): Promise<void> {
  for (;;) {
    const codes = await reads.run(olderCodes, currentId)
    if (codes === null) return
    report({ step: 'waiting for codes', ...codes })
    await sleep(PAUSE_MS)
  }
}
