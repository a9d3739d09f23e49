/** The acts of operators, which the service copies to its log. */
import type { Migration } from './migration.ts'

export const operatorCommands: Migration = {
  name: '010-operator-commands',
  statements: () => ["CREATE INDEX audit_commands ON audit (at) WHERE method = 'CLI'"],
}
