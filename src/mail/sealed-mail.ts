/** Encrypts the mails in the outbox, bound to their row and recipient. */
import type { MailText } from '../mail/messages.ts'
import type { Sealed, Vault } from '../secrets/vault.ts'

interface Addressed {
  readonly id: string
  readonly to: string
}

export const sealMail = (vault: Vault, { id, to }: Addressed, text: MailText): Sealed =>
  vault.seal('mail', JSON.stringify(text), [id, to])

/** Throws VaultError. */
export const openMail = (vault: Vault, mail: Addressed & Sealed): MailText =>
  JSON.parse(vault.open('mail', mail, [mail.id, mail.to]))
