/** An index for looking up an account's computations by their request id. */
import type { Migration } from './migration.ts'

export const requestIds: Migration = {
  name: '011-request-ids',
  // Request ids are made in ascending order unless the caller sets them, so that new rows go to the end of the index.
  statements: () => [
    "CREATE INDEX audit_requests ON audit (account_id, request_id, at) WHERE kind = 'computation'",
  ],
}
