/** E-mail addresses in the form in which they are compared, and their keyed hash for the counters of attempts. */
import type { Vault } from '../secrets/vault.ts'

/** Lower case and Unicode NFC: case does not matter, composed and decomposed letters are equal. */
export const addressOf = (email: string): string => email.normalize('NFC').toLowerCase()

/** A keyed hash, so that the table of attempts does not show which addresses were tried. */
export const subjectOf = (vault: Pick<Vault, 'mac'>, address: string): string =>
  vault.mac('address', address).hash.toString('hex')
