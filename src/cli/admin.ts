/** `quantd admin`: everything an operator does to accounts, on the service's own database. */
import type { Command } from 'commander'
import { accountVerbs } from './admin/accounts.ts'
import { auditVerbs } from './admin/audit.ts'
import { changeVerbs } from './admin/changes.ts'
import { ledgerVerbs } from './admin/ledger.ts'
import { rotationVerbs } from './admin/rotate.ts'
import { addVerb, type Verb } from './admin/verb.ts'
import type { Terminal } from './terminal.ts'

export const adminVerbs: readonly Verb[] = [
  ...accountVerbs,
  ...changeVerbs,
  ...ledgerVerbs,
  ...auditVerbs,
  ...rotationVerbs,
]

const DESCRIPTION = `Administer accounts, beside the running service and with its settings.

An account is named by its e-mail address or its number. Every change is an event in the audit.
Exit codes: 0 done, 1 failed (no such account, …), 2 not understood.`

export function registerAdmin(program: Command, terminal: Terminal): void {
  const admin = program.command('admin').summary('Administer accounts.').description(DESCRIPTION)
  for (const verb of adminVerbs) addVerb(admin, terminal, verb)
}
