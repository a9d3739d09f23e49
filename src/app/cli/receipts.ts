/** `quantd verify-receipt`, `verify-audit` and `rotate-signing-key`: checks of the proofs, without the service. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { plural } from '../../base/text.ts'
import type { PublishedKey } from '../../wire/receipt-check/verify.ts'
import type { Session } from './admin/database-session.ts'
import { CommandFailure, EXIT, guarded } from './admin/failure.ts'
import { eventBy, type Terminal } from './terminal.ts'

const json = () => new Option('--json', 'print JSON, for scripts')

interface Files {
  readonly keys?: string
  readonly request?: string
  readonly reply?: string
  readonly checkpoints?: string
  readonly json?: boolean
}

export function registerReceipts(program: Command, terminal: Terminal): void {
  program
    .command('verify-receipt')
    .description(
      'Check a receipt without the service: the reply of /user/receipt, or its data. Exit code 1 if it is not valid.',
    )
    .argument('<file>', 'the receipt')
    .requiredOption('--keys <file>', 'a copy of /.well-known/quantd-keys.json of the service')
    .option('--request <file>', 'the body of the request, which must be that of the call')
    .option(
      '--reply <file>',
      'the reply; needed with the request of a success, refused for a failure, of which only the request is proven',
    )
    .addOption(json())
    .action((file: string, files: Files) => guarded(terminal, files, () => verifyOne(terminal, file, files)))
  program
    .command('verify-audit')
    .description(
      'Check every row of the audit against the signed checkpoints. Reads one snapshot; the service may run. Exit code 1 if anything was changed, removed or added. Uses the settings of the service.',
    )
    .option('--checkpoints <file>', 'a copy of the file of QUANTD_CHECKPOINT_FILE, kept elsewhere')
    .option(
      '--keys <file>',
      'an earlier copy of /.well-known/quantd-keys.json; default: the keys in the database',
    )
    .addOption(json())
    .action((files: Files) => guarded(terminal, files, () => verifyAudit(terminal, files)))
  program
    .command('rotate-signing-key')
    .description(
      'Sign checkpoints with a new key from now on. The present key signs a last checkpoint, which the new key signs too; earlier receipts stay valid.',
    )
    .addOption(json())
    .action((files: Files) => guarded(terminal, files, () => rotate(terminal, files)))
}

async function verifyOne(terminal: Terminal, file: string, files: Files): Promise<void> {
  if (files.request === undefined && files.reply !== undefined)
    throw new CommandFailure('--reply is checked together with --request: give both, or neither.', EXIT.usage)
  const { verifyReceipt } = await import('../../wire/receipt-check/verify.ts')
  const bytes = (name: string | undefined) => (name === undefined ? undefined : read(name))
  const [request, reply] = [bytes(files.request), bytes(files.reply)]
  const options = {
    keys: await keysOf(files.keys!),
    ...(request !== undefined && { request }),
    ...(reply !== undefined && { reply }),
  }
  const proven = await verifyReceipt(textOf(file), options).catch((error) => {
    throw error?.name === 'InvalidReceipt' ? new CommandFailure(error.message) : error
  })
  const { contentMatches, keyId, leaf, signedAt } = proven
  const at = (ms: unknown) => new Date(Number(ms)).toISOString()
  const text = [
    `valid: ${leaf.method} ${leaf.path}, status ${leaf.status}, ${plural(Number(leaf.credits), 'credit')}, at ${at(leaf.at)}, by version ${leaf.version}`,
    `signed by the key ${keyId} at ${at(signedAt)}`,
    contentMatches
      ? `${leaf.status === 200 ? 'request and reply are those' : 'the request is that'} of the call`
      : 'request and reply were not given',
  ].join('\n')
  await terminal.write(`${files.json ? JSON.stringify(proven) : text}\n`)
}

async function verifyAudit(terminal: Terminal, files: Files): Promise<void> {
  const { checkAudit } = await import('../../ledger/receipts/verify-audit.ts')
  await inSession(terminal, async ({ reads }) => {
    const { checkpoints: file } = files
    const exported = file === undefined ? [] : linesOf(file)
    const keys = files.keys === undefined ? null : await keysOf(files.keys)
    const check = await reads.run(checkAudit, { exported, keys })
    const { checkpoints, doubtful, faults, groups, older, rows, unproven, waiting } = check
    if (file !== undefined && check.exported === 0 && faults.length === 0)
      throw new CommandFailure(`${file} holds no checkpoint.`)
    const text = [
      ...faults,
      `${plural(rows, 'row')} in ${plural(groups, 'group')}, ${plural(checkpoints, 'checkpoint')}, compared with ${check.exported} exported ones: ${faults.length === 0 ? 'nothing was altered' : 'NOT as they were signed'}`,
      `waiting for the next checkpoint: ${plural(waiting, 'row')}`,
      ...(unproven > 0 ? [`from before there were proofs: ${plural(unproven, 'row')}`] : []),
      ...(doubtful > 0
        ? [
            `${plural(doubtful, 'group')} signed while the clock of the database was behind an earlier time: the times of their rows are doubtful`,
          ]
        : []),
      ...(older > 0
        ? [
            `${older} rows without proof were written by a version without proofs, within a day of the upgrade; or were inserted with such a time`,
          ]
        : []),
    ].join('\n')
    await terminal.write(`${files.json ? JSON.stringify(check) : text}\n`)
    if (faults.length > 0) terminal.exitWith(EXIT.failed)
  })
}

async function rotate(terminal: Terminal, files: Files): Promise<void> {
  const { rotateSigningKey } = await import('../../ledger/receipts/make-checkpoint.ts')
  await inSession(terminal, async (session) => {
    const { vault } = await session.secrets()
    const { auditRetentionDays } = session.config
    const rotated = await session.store.run(rotateSigningKey, {
      vault,
      retentionDays: auditRetentionDays,
      event: eventBy('rotate-signing-key'),
    })
    await terminal.write(
      `${
        files.json
          ? JSON.stringify(rotated)
          : `The key ${rotated.key} signs from checkpoint ${rotated.number + 1} on.`
      }\n`,
    )
  })
}

async function inSession(terminal: Terminal, work: (session: Session) => Promise<void>): Promise<void> {
  await (await import('./admin/database-session.ts')).inSession(terminal, {}, work)
}

async function keysOf(file: string): Promise<readonly PublishedKey[]> {
  const { publishedKeys } = await import('../../wire/receipt-check/verify.ts')
  const text = textOf(file)
  try {
    return publishedKeys(text)
  } catch {
    throw new CommandFailure(`${file} does not hold the published keys.`)
  }
}

function textOf(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read(file))
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`${file} is not UTF-8.`)
  }
}

const read = (file: string): Buffer => readable(file, (path) => readFileSync(path))

function readable<Got>(file: string, get: (path: string) => Got): Got {
  try {
    return get(resolve(file))
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${(error as Error).message}.`)
  }
}

const PIECE_BYTES = 1024 * 1024

/**
 * Ends at the present length of the file, because a running service may append checkpoints that the snapshot of the database
 * does not have.
 */
function linesOf(file: string): Iterable<string> {
  const handle = readable(file, (path) => openSync(path, 'r'))
  const stats = fstatSync(handle)
  let left = stats.isFile() ? stats.size : Number.POSITIVE_INFINITY
  return (function* () {
    try {
      const piece = Buffer.alloc(PIECE_BYTES)
      let rest = ''
      for (let length = 1; length > 0; left -= length) {
        length = readSync(handle, piece, 0, Math.min(left, PIECE_BYTES), null)
        const lines = (rest + piece.toString('latin1', 0, length)).split('\n')
        rest = length > 0 ? lines.pop()! : ''
        yield* lines
      }
    } finally {
      closeSync(handle)
    }
  })()
}
