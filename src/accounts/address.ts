/** E-mail addresses as they are compared, and what stands for one where attempts are counted. */
import type { Vault } from '../secrets/vault.ts'

/** Without regard to case; composed and decomposed letters are the same. */
export const addressOf = (email: string): string => email.normalize('NFC').toLowerCase()

/** A keyed hash: the counters of attempts tell nobody which addresses were tried. */
export const subjectOf = (vault: Pick<Vault, 'mac'>, address: string): string =>
  vault.mac('address', address).hash.toString('hex')
