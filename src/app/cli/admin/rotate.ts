/** The command that encrypts every secret under a new master key while the service runs. */

import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Option } from 'commander'
import { MASTER_KEY_WAIT_S } from '../../../base/limits/operation.ts'
import { isoTime } from '../../../base/time.ts'
import {
  type Rotation,
  type RotationProgress,
  rotateMasterKey as rotate,
  UnreadableSecrets,
} from '../../../operators/rotation.ts'
import type { SecretCount } from '../../../operators/sealed-secrets.ts'
import { eventBy } from '../terminal.ts'
import { type AdminCommand, type AdminSession, readNumber } from './command.ts'
import { CommandFailure, EXIT } from './failure.ts'

interface RotateOptions {
  readonly dropCodes?: boolean
  /** False with --no-wait. */
  readonly wait: boolean
  readonly settle: number
}

export const rotateMasterKey: AdminCommand = {
  usage: 'rotate-master-key',
  summary:
    'Encrypts every API key, second factor, recovery code and waiting mail under the first of the master keys, while the service runs. First configure both keys on every node, the new one before the old one; when the command reports success, the old one may be removed. It may be interrupted and run again.',
  examples: [
    ['rotate-master-key', 'wait until the codes mailed under the old key have expired (at most 10 minutes)'],
    ['rotate-master-key --drop-codes', 'invalidate those codes instead; their owners must request new ones'],
    ['rotate-master-key --no-wait --json', 'leave them valid, and print until when the old key is needed'],
  ],
  shape: (command) =>
    command
      .option('--drop-codes', 'invalidate mailed codes that are under an older key')
      .option('--no-wait', 'do not wait until those codes have expired')
      .addOption(
        new Option('--settle <seconds>', 'minimum age of the master key file, so that every node has read it')
          .argParser(readNumber(0, 3_600))
          .default(MASTER_KEY_WAIT_S),
      ),
  async run(session, options: RotateOptions) {
    const { masterKeys, vault } = await session.secrets()
    const masterKeyIds = masterKeys.list().map(({ id }) => id)
    await settle(session, options.settle)
    const rotation = await rotate(
      { vault, masterKeyIds, reads: session.reads, store: session.store, report: reporter(session) },
      {
        codes: options.dropCodes ? 'drop' : options.wait ? 'wait' : 'leave',
        event: () => eventBy('rotate-master-key'),
      },
    ).catch(explain)
    const olderIds = masterKeyIds.slice(1)
    await session.print(json(rotation, olderIds), text(rotation, olderIds))
    if (rotation.damaged.length > 0 || !(rotation.complete || rotation.codesLeft !== null))
      session.terminal.exitWith(EXIT.failed)
  },
}

/** Waits until every node has read a key file that was just changed. Keys in a setting are known since the start of a node. */
async function settle({ config, terminal }: AdminSession, seconds: number): Promise<void> {
  if (config.masterKey !== null) return
  const wait = statSync(config.masterKeyFile).mtimeMs + 1_000 * seconds - Date.now()
  if (wait <= 0) return
  terminal.tell(
    `The master key file was changed just now: waiting ${Math.ceil(wait / 1_000)} s until every node has read it.`,
  )
  await pause(wait)
}

const NAMES = {
  api_key: 'API keys',
  totp_secret: 'second factors',
  recovery_code: 'recovery codes',
  mail: 'waiting mails',
  webhook: 'keys of webhooks',
  team_key_hash: 'hash keys of team keys',
  signing_key: 'signing keys of receipts',
} as const

function reporter({ json, terminal }: AdminSession): (progress: RotationProgress) => void {
  let last = ''
  return (progress) => {
    if (json) return
    const line =
      progress.step === 'rewrapped'
        ? `… ${progress.count} ${NAMES[progress.kind]}`
        : `Waiting for ${progress.count} mailed codes under an older key to expire, the last at ${isoTime(progress.until)}.`
    if (line !== last) terminal.tell(line)
    last = line
  }
}

function explain(error: unknown): never {
  if (!(error instanceof UnreadableSecrets)) throw error
  throw new CommandFailure(
    `${counted(error.counts)}, which is not configured: add that key. Nothing was changed.`,
  )
}

const counted = (counts: readonly SecretCount[]): string => {
  const [{ masterKeyId }] = counts as [SecretCount]
  const of = counts.filter((count) => count.masterKeyId === masterKeyId)
  return `${of.map(({ count, kind }) => `${count} ${NAMES[kind]}`).join(', ')} are encrypted under the master key ${masterKeyId}`
}

const json = (rotation: Rotation, olderIds: readonly string[]) => ({
  master_key_id: rotation.masterKeyId,
  older_master_key_ids: olderIds,
  rewrapped: rotation.rewrapped,
  codes_dropped: rotation.codesDropped,
  damaged: rotation.damaged,
  codes_left: rotation.codesLeft && {
    count: rotation.codesLeft.count,
    until: isoTime(rotation.codesLeft.until),
  },
  old_keys_removable: rotation.complete,
})

function text(rotation: Rotation, olderIds: readonly string[]): string {
  const counts = Object.entries(rotation.rewrapped).map(
    ([kind, count]) => `${count} ${NAMES[kind as keyof typeof NAMES]}`,
  )
  return [
    `Encrypted under the master key ${rotation.masterKeyId}: ${counts.join(', ')}.`,
    ...(rotation.codesDropped > 0
      ? [`Invalidated ${rotation.codesDropped} mailed codes; their owners must request new ones.`]
      : []),
    ...rotation.damaged.map(({ id, kind }) => `Cannot be decrypted: ${NAMES[kind]}, row ${id}.`),
    conclusion(rotation, olderIds),
  ].join('\n')
}

function conclusion({ codesLeft, complete, damaged }: Rotation, olderIds: readonly string[]): string {
  if (damaged.length > 0) return 'Keep the older keys: the rows listed here were left unchanged.'
  if (codesLeft !== null)
    return `Keep the older keys until ${isoTime(codesLeft.until)}: ${codesLeft.count} mailed codes need them.`
  if (!complete)
    return 'A node still encrypts under an older key: put the new key first on every node, then run this again.'
  if (olderIds.length === 0) return 'No older key is configured. To rotate, put a new key before this one.'
  return `The older keys are no longer needed and may be removed: ${olderIds.join(', ')}.`
}
