/** What the rules of accounts work with; the composition root puts it together. */
import { uuidv7 } from '../ids.ts'
import type { MailText } from '../mail/messages.ts'
import type { Passwords } from '../secrets/passwords.ts'
import { sealMail } from '../secrets/sealed-mail.ts'
import type { Vault } from '../secrets/vault.ts'
import type { EventOrigin, NewMail, Store } from '../store/store.ts'
import type { Origin } from './handler.ts'
import type { Turns } from './turns.ts'

export interface AccountContext {
  readonly store: Store
  readonly vault: Vault
  readonly passwords: Passwords
  readonly turns: Turns
  /** Has the sender look at the outbox; to be called after a mail was queued. */
  readonly wakeSender: () => void
  /** Name the service goes by in authenticator apps. */
  readonly issuer: string
}

/** The origin of an event, with the id its audit row will have. */
export const eventOf = (origin: Origin): EventOrigin => ({ auditId: uuidv7(), ...origin })

/** A mail as it is queued: sealed here, so that no transaction waits for it. */
export function newMail({ vault }: Pick<AccountContext, 'vault'>, to: string, text: MailText): NewMail {
  const id = uuidv7()
  return { id, to, ...sealMail(vault, { id, to }, text) }
}
