/** Rotation of the master key: everything that stands under an older key is put under the writing one, row by row. */
import type {
  AdminEvent,
  AdminReader,
  CodeCount,
  KeptSecret,
  RewrappedSecret,
  SecretCount,
  SecretKind,
  Store,
} from '../store/store.ts'
import { API_KEY_PURPOSE } from './keys.ts'
import { type SealPurpose, type Vault, VaultError } from './vault.ts'

export interface RotationParts {
  readonly store: Pick<Store, 'dropCodes' | 'finishRotation' | 'rewrap'>
  readonly reads: Pick<AdminReader, 'codeCounts' | 'secretCounts' | 'secretsPage'>
  readonly vault: Vault
  /** Ids of the present master keys, the writing one first. */
  readonly masterKeyIds: readonly string[]
  readonly pause: (ms: number) => Promise<void>
  readonly report: (progress: RotationProgress) => void
}

export type RotationProgress =
  | { readonly step: 'rewrapped'; readonly kind: SecretKind; readonly count: number }
  | { readonly step: 'waiting for codes'; readonly count: number; readonly until: number }

export interface RotationOptions {
  /** Where the database keeps the fingerprint that a start compares with the master key. */
  readonly fact: string
  /** Mailed codes under an older key: waited for until they have expired, ended at once, or left as they are. */
  readonly codes: 'wait' | 'drop' | 'leave'
  readonly event: () => AdminEvent
}

export interface Rotation {
  readonly masterKeyId: string
  readonly rewrapped: Readonly<Record<SecretKind, number>>
  readonly codesDropped: number
  /** Secrets that could not be opened, by kind and row. */
  readonly damaged: readonly { readonly kind: SecretKind; readonly id: number | string }[]
  /** Codes left under an older key, and when the last of them expires. */
  readonly codesLeft: { readonly count: number; readonly until: number } | null
  /** Whether everything readable stands under the writing key, so that the older ones may be removed. */
  readonly complete: boolean
}

/** Rows under a master key that is not among the present ones: nothing was changed. */
export class UnreadableSecrets extends Error {
  override readonly name = 'UnreadableSecrets'
  readonly counts: readonly SecretCount[]

  constructor(counts: readonly SecretCount[]) {
    super('Some secrets stand under a master key that is not among the present ones.')
    this.counts = counts
  }
}

export const SECRET_KINDS: readonly SecretKind[] = ['api_key', 'totp_secret', 'recovery_code', 'mail']

/** Purpose a secret was sealed for; what it is bound to is its `owner`. */
const PURPOSES: Readonly<Record<SecretKind, SealPurpose>> = {
  api_key: API_KEY_PURPOSE,
  totp_secret: 'totp secret',
  recovery_code: 'recovery code',
  mail: 'mail',
}

/** Rows that flip in one transaction: a few milliseconds, in which nobody else writes on SQLite. */
const BATCH = 100
/** Times everything is looked through; after the first only what nodes wrote meanwhile is left. */
const SWEEPS = 10
const PAUSE_MS = 1_000

/**
 * Runs while the service does, and again after an interruption: what has flipped is not touched again. Every node must
 * have all the keys, and write under the first, before it begins. Throws UnreadableSecrets.
 */
export async function rotateMasterKey(parts: RotationParts, options: RotationOptions): Promise<Rotation> {
  const { reads, store, vault } = parts
  const [currentId] = parts.masterKeyIds as [string]
  await refuseUnreadable(parts)
  const rewrapped = { api_key: 0, totp_secret: 0, recovery_code: 0, mail: 0 }
  const damaged = new Map<string, { kind: SecretKind; id: number | string }>()
  let left: readonly SecretCount[] = []
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const kind of SECRET_KINDS) rewrapped[kind] += await sweepKind(parts, kind, currentId, damaged)
    left = await store.finishRotation({
      currentId,
      fact: options.fact,
      fingerprint: vault.fingerprint(),
      event: options.event(),
    })
    if (left.length === 0 || damaged.size > 0) break
    await parts.pause(PAUSE_MS)
  }
  const codesDropped = options.codes === 'drop' ? await store.dropCodes(currentId) : 0
  if (options.codes === 'wait') await outlastCodes(parts, currentId)
  const codesLeft = olderCodes(await reads.codeCounts(), currentId)
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
  const counts = await reads.secretCounts()
  const unreadable = counts.filter(({ masterKeyId }) => !masterKeyIds.includes(masterKeyId))
  if (unreadable.length > 0) throw new UnreadableSecrets(unreadable)
}

/** All secrets of a kind, in the order of their ids; returns how many flipped. */
async function sweepKind(
  parts: RotationParts,
  kind: SecretKind,
  currentId: string,
  damaged: Map<string, { kind: SecretKind; id: number | string }>,
): Promise<number> {
  let flipped = 0
  for (let after: number | string | null = null; ; ) {
    const page: readonly KeptSecret[] = await parts.reads.secretsPage({
      kind,
      currentId,
      after,
      limit: BATCH,
    })
    if (page.length === 0) return flipped
    const ready: RewrappedSecret[] = []
    for (const secret of page) {
      const one = rewrapped(parts.vault, kind, secret)
      if (one === null) damaged.set(`${kind} ${secret.id}`, { kind, id: secret.id })
      else ready.push(one)
    }
    const startedAt = performance.now()
    if (ready.length > 0) flipped += await parts.store.rewrap(kind, ready)
    parts.report({ step: 'rewrapped', kind, count: flipped })
    after = page.at(-1)!.id
    // The service gets as long as it was held up.
    await parts.pause(performance.now() - startedAt)
  }
}

/** Null: it cannot be opened. */
function rewrapped(vault: Vault, kind: SecretKind, secret: KeptSecret): RewrappedSecret | null {
  const { id, masterKeyId, owner, sealed } = secret
  const purpose = PURPOSES[kind]
  try {
    const plain = vault.open(purpose, secret, owner)
    return {
      id,
      from: { masterKeyId, sealed },
      to: vault.seal(purpose, plain, owner),
      hash: kind === 'api_key' ? vault.lookupHashes(plain)[0]!.hash : null,
    }
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}

/** New codes are under the writing key, so those under older ones only get fewer. */
async function outlastCodes({ pause, reads, report }: RotationParts, currentId: string): Promise<void> {
  for (;;) {
    const codes = olderCodes(await reads.codeCounts(), currentId)
    if (codes === null) return
    report({ step: 'waiting for codes', ...codes })
    await pause(PAUSE_MS)
  }
}

function olderCodes(counts: readonly CodeCount[], currentId: string): Rotation['codesLeft'] {
  const older = counts.filter(({ masterKeyId }) => masterKeyId !== currentId)
  if (older.length === 0) return null
  return {
    count: older.reduce((sum, { count }) => sum + count, 0),
    until: Math.max(...older.map(({ lastsUntil }) => lastsUntil)),
  }
}
