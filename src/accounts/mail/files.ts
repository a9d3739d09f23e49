/** Mail transport for development: writes each message to a file, byte for byte as an SMTP server would get it. */
import { chmod, glob, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { MAIL_FILE_MS } from '../../base/limits/operation.ts'
import { composed, type MailLog, type MailTransport, SendFailure } from './transport.ts'

interface FileSettings {
  /** Folder of the .eml files; created if missing, accessible to its owner only. */
  readonly folder: string
  readonly from: string
  readonly log: MailLog
  /** Whether to log codes. Only for a service that listens on loopback. */
  readonly logCodes: boolean
}

export function fileTransport({ folder, from, log, logCodes }: FileSettings): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(mail) {
      if (!/^[A-Za-z0-9-]+$/.test(mail.id))
        throw new SendFailure('refused', 'The id of the mail is not a valid file name.')
      const file = join(folder, `${mail.id}.eml`)
      const { message } = await composer.sendMail(composed(from, mail))
      await writeWhole(folder, file, message as Buffer).catch((error: Error) => {
        throw new SendFailure('away', error.message, error)
      })
      const code = logCodes && mail.code !== null ? { code: mail.code } : {}
      log.info({ mail: mail.id, file, subject: mail.subject, ...code }, 'mail written')
    },
    close: () => composer.close(),
  }
}

/** Writes atomically; a mail written twice replaces its file. */
async function writeWhole(folder: string, file: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const draft = `${file}.part`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
}

/** Removes the mails that were written too long ago: they hold addresses, names and codes. */
export async function removeOldMails(folder: string): Promise<void> {
  for await (const name of glob('*.eml{,.part}', { cwd: folder })) {
    const file = join(folder, name)
    const { mtimeMs } = await stat(file)
    if (mtimeMs < Date.now() - MAIL_FILE_MS) await rm(file, { force: true })
  }
}
