/** `quantd admin`: the operator's commands on accounts, which work on the service's own database. */
import type { Command } from 'commander'
import { accountCommands } from './admin/accounts.ts'
import { alertCommands } from './admin/alerts.ts'
import { approvalCommands } from './admin/approvals.ts'
import { auditCommands } from './admin/audit.ts'
import { changeCommands } from './admin/changes.ts'
import { type AdminCommand, addCommand } from './admin/command.ts'
import { costCommands } from './admin/costs.ts'
import { create } from './admin/create.ts'
import { creditCommands } from './admin/credits.ts'
import { keyCommands } from './admin/keys.ts'
import { ledgerCommands } from './admin/ledger.ts'
import { mailCommands, note } from './admin/mails.ts'
import { planCommands } from './admin/plan.ts'
import { rotationCommands } from './admin/rotate.ts'
import { tokenCommands } from './admin/tokens.ts'
import { usageCommands } from './admin/usage.ts'
import { webhookCommands } from './admin/webhooks.ts'
import type { Terminal } from './terminal.ts'

/** Commands with a second word: `token create`. */
export const adminGroups: Readonly<Record<string, { summary: string; commands: readonly AdminCommand[] }>> = {
  keys: { summary: 'Keys of an account.', commands: keyCommands },
  token: { summary: "Tokens for the operators' interface over HTTP.", commands: tokenCommands },
  approvals: { summary: 'Acts over HTTP that wait for a second person.', commands: approvalCommands },
  plan: { summary: 'Limits, costs and initial credits, changed without a restart.', commands: planCommands },
  mail: { summary: 'Mails that wait in the outbox.', commands: mailCommands },
  webhook: { summary: 'Endpoints that receive events.', commands: webhookCommands },
  alerts: { summary: 'Alerts that the service tells by itself.', commands: alertCommands },
}

export const adminCommands: readonly AdminCommand[] = [
  create,
  ...accountCommands,
  ...changeCommands,
  ...creditCommands,
  ...ledgerCommands,
  ...auditCommands,
  ...usageCommands,
  ...costCommands,
  ...rotationCommands,
  note,
]

const NOTES = `
Name an account by its e-mail address or its number. Every change is recorded in the audit.
Exit codes: 0 done, 1 failed (no such account, …), 2 the command line is wrong.`

export function registerAdmin(program: Command, terminal: Terminal): void {
  const admin = program
    .command('admin')
    .summary('Administer accounts.')
    .description('Administer accounts. Uses the settings of the service, which may be running.')
    .addHelpText('after', NOTES)
  for (const command of adminCommands) addCommand(admin, terminal, command)
  for (const [name, { commands, summary }] of Object.entries(adminGroups)) {
    const group = admin.command(name).description(summary)
    for (const command of commands) addCommand(group, terminal, command)
  }
}
