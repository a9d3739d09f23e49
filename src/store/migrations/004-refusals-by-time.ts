/** An index of refusals by time, for the export of the audit and for the clean-up. */
import type { Migration } from './migration.ts'

export const refusalsByTime: Migration = {
  name: '004-refusals-by-time',
  statements: () => ['CREATE INDEX refusals_minute ON refusals (minute, key_id, ip, code)'],
}
