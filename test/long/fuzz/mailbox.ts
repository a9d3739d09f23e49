/** Reads codes from the mails in a node's data folder, where a node without an SMTP server writes them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Mailbox {
  /** Waits for the mail of this number (from 0) to an address and returns its code. Throws after PATIENCE_MS. */
  code(email: string, number: number): Promise<string>
}

const PATIENCE_MS = 15_000
const LOOK_EVERY_MS = 25

/** @param folders data folders of the nodes that send mail */
export function openMailbox(folders: readonly string[]): Mailbox {
  const read = new Set<string>()
  const codes = new Map<string, string[]>()
  const look = (): void => {
    for (const folder of folders.map((each) => join(each, 'outbox')))
      for (const file of existsSync(folder) ? readdirSync(folder).sort() : []) {
        if (read.has(file) || !file.endsWith('.eml')) continue
        read.add(file)
        const mail = readFileSync(join(folder, file), 'utf8')
        const to = /^To: (.*)\r$/m.exec(mail)?.[1] ?? ''
        const code = /^(\d{6}|[A-Z2-7]{12})\r$/m.exec(mail)?.[1]
        if (code !== undefined) codes.set(to, [...(codes.get(to) ?? []), code])
      }
  }
  return {
    async code(email, number) {
      const deadline = performance.now() + PATIENCE_MS
      for (;;) {
        const code = codes.get(email)?.[number]
        if (code !== undefined) return code
        if (performance.now() > deadline) throw new Error(`mail number ${number} to ${email} did not arrive`)
        look()
        await sleep(LOOK_EVERY_MS)
      }
    },
  }
}
