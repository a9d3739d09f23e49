/** An index of the request ids that callers gave. */
import type { Migration } from './migration.ts'

export const givenRequestIds: Migration = {
  name: '012-given-request-ids',
  // A request id that the service makes is the id of the audit row, which has an index already. Most calls write no entry here.
  statements: () => [
    'DROP INDEX audit_requests',
    `CREATE INDEX audit_given_requests ON audit (request_id, account_id, at)
      WHERE kind = 'computation' AND request_id <> id`,
  ],
}
