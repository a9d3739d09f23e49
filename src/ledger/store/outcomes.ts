/** The failures of a transaction: certainly not committed, or of unknown outcome. */

/** The transaction was certainly not committed. */
export class NotCommitted extends Error {
  override readonly name = 'NotCommitted'
}

/** The connection was lost, or the log could not be forced, around COMMIT: the transaction may be committed. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}
