/** `quantd admin`: the operator's commands on accounts, which work on the service's own database. */
import type { Command } from 'commander'
import { accountVerbs } from './admin/accounts.ts'
import { auditVerbs } from './admin/audit.ts'
import { changeVerbs } from './admin/changes.ts'
import { create } from './admin/create.ts'
import { ledgerVerbs } from './admin/ledger.ts'
import { rotationVerbs } from './admin/rotate.ts'
import { addVerb, type Verb } from './admin/verb.ts'
import type { Terminal } from './terminal.ts'

export const adminVerbs: readonly Verb[] = [
  create,
  ...accountVerbs,
  ...changeVerbs,
  ...ledgerVerbs,
  ...auditVerbs,
  ...rotationVerbs,
]

const DESCRIPTION = `Administer accounts. Uses the settings of the service, which may be running.

Name an account by its e-mail address or its number. Every change is recorded in the audit.
Exit codes: 0 done, 1 failed (no such account, …), 2 the command line is wrong.`

export function registerAdmin(program: Command, terminal: Terminal): void {
  const admin = program.command('admin').summary('Administer accounts.').description(DESCRIPTION)
  for (const verb of adminVerbs) addVerb(admin, terminal, verb)
}
