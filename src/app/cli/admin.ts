/** `quantd admin`: the operator's commands on accounts, which work on the service's own database. */
import type { Command } from 'commander'
import { operatorEndpoints } from '../../operators/http/endpoints.ts'
import { listAccounts } from './admin/accounts.ts'
import { actCommand } from './admin/act-command.ts'
import { exportAudit } from './admin/audit.ts'
import { type AdminCommand, addCommand } from './admin/command.ts'
import { setLimits, setPlan } from './admin/limits.ts'
import { rotateMasterKey } from './admin/rotate.ts'
import { costReport, exportUsage } from './admin/usage.ts'
import type { Terminal } from './terminal.ts'

/** First words of commands that have two, such as `token create`. */
const GROUPS = {
  keys: 'Keys of an account.',
  token: "Tokens for the operators' interface over HTTP.",
  approvals: 'Acts over HTTP that wait for a second person.',
  plan: 'Limits, costs and initial credits, changed without a restart.',
  mail: 'Mails that wait in the outbox.',
  webhook: 'Endpoints that receive events.',
  alerts: 'Alerts that the service sends to its operator.',
}

/** By its verb, each command that streams, writes files or waits, and therefore is not made from a declaration alone. */
const STREAMS: Readonly<Record<string, AdminCommand>> = {
  'export-audit': exportAudit,
  'export-usage': exportUsage,
  'cost-report': costReport,
  'rotate-master-key': rotateMasterKey,
}

const NOTES = `
Name an account by its e-mail address or its number. Every change is recorded in the audit.
Exit codes: 0 done, 1 failed (no such account, …), 2 the command line is wrong.`

export function registerAdmin(program: Command, terminal: Terminal): void {
  const admin = program
    .command('admin')
    .summary('Administer accounts.')
    .description('Administer accounts. Uses the settings of the service, which may be running.')
    .addHelpText('after', NOTES)
  const groups = Object.entries(GROUPS).map(
    ([name, summary]) => [name, admin.command(name).description(summary)] as const,
  )
  for (const act of operatorEndpoints) {
    if (act.verb === null) continue
    const group = groups.find(([name]) => act.verb!.startsWith(`${name} `))
    addCommand(group?.[1] ?? admin, terminal, commandOf(act, act.verb))
  }
}

function commandOf(act: (typeof operatorEndpoints)[number], verb: string): AdminCommand {
  if (verb === 'list') return listAccounts(act)
  if (verb === 'set-limits') return setLimits(act)
  return STREAMS[verb] ?? (verb === 'plan set' ? setPlan(act) : actCommand(act))
}
