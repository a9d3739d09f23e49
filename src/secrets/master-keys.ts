/** Reads the master keys from a setting, or from a file that the first start creates and that may change while the service runs. */
import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { MASTER_KEY_READ_MS } from '../base/limits/operation.ts'
import { readSecretFile, secretFileProblem } from './secret-file.ts'

const MASTER_KEY_BYTES = 32

/** Name of the stored fingerprint by which a start checks that database and master key belong together. */
export const MASTER_KEY_CHECK = 'master key check'

/** One master key. Rows store its `id`, a fingerprint of 16 hexadecimal digits that does not reveal the key. */
export interface MasterKey {
  readonly id: string
  readonly secret: KeyObject
}

export interface MasterKeys {
  /** The writing key first, then the keys that only decrypt. The same array until the keys change. */
  list(): readonly MasterKey[]
  /** Reads the file now; returns whether its first key encrypts. A new key does so once every node has had time to read it. */
  isSettled(): boolean
  close(): void
}

/** An invalid master key setting; the message is one line for the operator. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError'
}

export interface MasterKeySource {
  /** The keys; null: read them from `file`. */
  readonly text: string | null
  readonly file: string
  /** Whether to create a missing file with a new key. Must be false if the database has rows already. */
  readonly create: boolean
  readonly rereadMs?: number
  /** The time for which a key must have been in the file before it encrypts; by then every node has read it. */
  readonly settleMs?: number
  readonly now?: () => number
  /** Called once for each new reason why the file cannot be read; the previous keys stay in use. */
  readonly onProblem?: (problem: string) => void
  readonly onChange?: (ids: readonly string[]) => void
}

/** Throws MasterKeyError. */
export function openMasterKeys(source: MasterKeySource): MasterKeys {
  if (source.text !== null) return fixedMasterKeys(parseMasterKeys(source.text, 'QUANTD_MASTER_KEY'))
  return watchedMasterKeys(source, parseMasterKeys(firstRead(source), source.file))
}

/** Keys that never change. */
export const fixedMasterKeys = (keys: readonly MasterKey[]): MasterKeys => ({
  list: () => keys,
  isSettled: () => true,
  close: () => undefined,
})

/** Reads keys separated by commas or white space. `from` names the setting in errors, which never contain a key. */
export function parseMasterKeys(text: string, from: string): readonly MasterKey[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  if (words.length === 0)
    throw new MasterKeyError(`${from} contains no key; create one with: openssl rand -base64 32`)
  const keys = words.map((word, index) => masterKey(decode(word, `Key ${index + 1} of ${from}`)))
  keys.forEach((key, index) => {
    const first = keys.findIndex((other) => other.id === key.id)
    if (first < index) throw new MasterKeyError(`Keys ${first + 1} and ${index + 1} of ${from} are the same.`)
  })
  return keys
}

function decode(word: string, which: string): Buffer {
  const bytes = Buffer.from(word, 'base64')
  // Node ignores invalid characters, so compare the text with the encoded result.
  if (bytes.toString('base64').replace(/=+$/, '') !== word.replace(/=+$/, ''))
    throw new MasterKeyError(`${which} is not base64; create a key with: openssl rand -base64 32`)
  if (bytes.length !== MASTER_KEY_BYTES)
    throw new MasterKeyError(
      `${which} has ${bytes.length} bytes, not ${MASTER_KEY_BYTES}; create a key with: openssl rand -base64 32`,
    )
  return bytes
}

function masterKey(bytes: Buffer): MasterKey {
  const id = Buffer.from(hkdfSync('sha256', bytes, '', 'quantd master key id', 8)).toString('hex')
  return { id, secret: createSecretKey(bytes) }
}

function firstRead({ file, create }: MasterKeySource): string {
  const text = readIfThere(file)
  if (text !== null) return text
  if (!create)
    throw new MasterKeyError(
      `The master key file ${file} is missing, but the database contains data encrypted with its key. Restore the file, or set QUANTD_MASTER_KEY_FILE to its path.`,
    )
  try {
    createMasterKeyFile(file)
  } catch (error) {
    throw new MasterKeyError(`The master key file ${file} cannot be created: ${(error as Error).message}`)
  }
  return read(file)
}

/** Null: there is no such file. */
function readIfThere(file: string): string | null {
  try {
    return read(file)
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function read(file: string): string {
  try {
    return readSecretFile(file)
  } catch (error) {
    throw new MasterKeyError(`The master key file ${file} ${secretFileProblem(error)}`, { cause: error })
  }
}

const replaced = (file: string) =>
  new MasterKeyError(
    `The master key file ${file} no longer holds the key that the database is encrypted with, which stays in use: put it back, below a new one, and rotate.`,
  )

function watchedMasterKeys(source: MasterKeySource, initial: readonly MasterKey[]): MasterKeys {
  const { file, rereadMs = MASTER_KEY_READ_MS, settleMs = 2 * rereadMs, now = Date.now } = source
  const seenAt = new Map(initial.map((key) => [key.id, Number.NEGATIVE_INFINITY]))
  let keys = initial
  let firstId = initial[0].id
  let problem: string | null = null

  const adopt = (read: readonly MasterKey[]) => {
    firstId = read[0].id
    // A file put there by mistake would make every stored key unreadable.
    if (!read.some(({ id }) => id === keys[0].id)) throw replaced(file)
    for (const id of seenAt.keys()) if (!read.some((key) => key.id === id)) seenAt.delete(id)
    for (const key of read) if (!seenAt.has(key.id)) seenAt.set(key.id, now())
    const writer = read.find((key) => seenAt.get(key.id)! + settleMs <= now()) ?? read[0]
    const next = [writer, ...read.filter((key) => key !== writer)]
    if (ids(next) === ids(keys)) return
    keys = next
    source.onChange?.(next.map((key) => key.id))
  }
  const report = (found: string | null) => {
    if (found !== null && found !== problem) source.onProblem?.(found)
    problem = found
  }
  const reread = () => {
    try {
      adopt(parseMasterKeys(read(file), file))
      report(null)
    } catch (error) {
      report((error as Error).message)
    }
  }
  const timer = setInterval(reread, rereadMs).unref()
  return {
    list: () => keys,
    isSettled() {
      reread()
      return problem === null && keys[0].id === firstId
    },
    close: () => clearInterval(timer),
  }
}

const ids = (keys: readonly MasterKey[]): string => keys.map((key) => key.id).join()

/**
 * Writes a new key of 32 bytes to a file that only its owner can read. The file is created atomically; if two processes
 * start at the same time, both use the key of the first.
 */
function createMasterKeyFile(file: string): void {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeDurably(draft, `${randomBytes(32).toString('base64')}\n`)
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  syncFolder(folder)
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
