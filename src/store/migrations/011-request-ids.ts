/** An index for looking up an account's computations by their request id. */
import type { Migration } from './migration.ts'

export const requestIds: Migration = {
  name: '011-request-ids',
  // Request ids come first: they ascend unless callers set them, so that new rows of all accounts go to one page at the end. With
  // the account first, each account would have a page of its own, and a row would take four times as long.
  statements: () => [
    "CREATE INDEX audit_requests ON audit (request_id, account_id, at) WHERE kind = 'computation'",
  ],
}
