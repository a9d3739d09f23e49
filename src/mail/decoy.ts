/**
 * Decoy mails: queued where nothing may be sent, so that a request for an unknown address causes the same work as one for
 * a known address. They are composed and then dropped. Their recipient is under `.invalid` (RFC 2606), so that no mail
 * could reach anybody even if one were sent.
 */
const DOMAIN = '@decoy.invalid'

/** A recipient as long as this address, so that the row has the same size. */
export const decoyRecipient = (email: string): string =>
  `${'x'.repeat(Math.max(1, email.length - DOMAIN.length))}${DOMAIN}`

export const isDecoy = (recipient: string): boolean => recipient.endsWith(DOMAIN)
