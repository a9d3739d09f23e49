/** The failures of a transaction: certainly not committed, of unknown outcome, or on a database that cannot be used. */

/** The transaction was certainly not committed. */
export class NotCommitted extends Error {
  override readonly name = 'NotCommitted'
}

/** Another process holds the lock for writing: nothing was written, but all that is committed can be read. */
export class Locked extends NotCommitted {}

/** The connection was lost, or the log could not be forced, around COMMIT: the transaction may be committed. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** The database cannot be used in this way; the message is one line for the operator. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}
