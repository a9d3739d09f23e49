/** Ends of team keys that were revoked, by which retention finds them. */
import { CLOCK_DIFFERENCE_MS } from '../../limits/operation.ts'
import type { Migration } from './migration.ts'

export const endedKeys: Migration = {
  name: '019-ended-keys',
  statements: () => [
    // Later than the calls of any of them, whatever the clock of the database says.
    `UPDATE api_keys SET ends_at = ${Date.now() + CLOCK_DIFFERENCE_MS}
      WHERE team_key_id IS NOT NULL AND status = 'revoked' AND ends_at IS NULL`,
    'CREATE INDEX api_keys_ends_at ON api_keys (ends_at) WHERE ends_at IS NOT NULL AND team_key_id IS NOT NULL',
  ],
}
