/** Reads a file that holds a secret: a regular file of at most 64 KiB that is closed to others. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'

/** A file that may not hold a secret; the message continues the file's name. */
class SecretFileError extends Error {}

const MOST_BYTES = 65_536
const BY_GROUP_OR_OTHERS = 0o066
const READ_BY_GROUP = 0o040

/** Throws SecretFileError, or the operating system's error where the file cannot be opened. */
export function readSecretFile(file: string): string {
  // Non-blocking, because opening a FIFO would wait for its writer.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile()) throw new SecretFileError('is not a regular file')
    refuseExposed(file, status)
    return content(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The group may read a file of another owner, because containers mount secrets in this way. */
function refuseExposed(file: string, { mode, uid }: Stats): void {
  const refused = uid === process.geteuid?.() ? BY_GROUP_OR_OTHERS : BY_GROUP_OR_OTHERS & ~READ_BY_GROUP
  if ((mode & refused) === 0) return
  const act = (mode & refused & 0o044) === 0 ? 'written' : 'read'
  const shown = (mode & 0o777).toString(8).padStart(4, '0')
  throw new SecretFileError(
    `can be ${act} by its group or by others (mode ${shown}); allow its owner only: chmod 600 ${file}`,
  )
}

/** Reads to the end of the file: some files have no size, or grow. */
function content(descriptor: number): string {
  const bytes = Buffer.alloc(MOST_BYTES + 1)
  let length = 0
  while (length < bytes.length) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, null)
    if (read === 0) return bytes.toString('utf8', 0, length)
    length += read
  }
  throw new SecretFileError(`holds more than ${MOST_BYTES} bytes`)
}

/** The end of a sentence that begins with the file's name. */
export const secretFileProblem = (error: unknown): string =>
  error instanceof SecretFileError ? error.message : `cannot be read: ${(error as Error).message}`
