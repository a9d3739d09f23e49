/** The migrations in their order. The node that starts first applies each once, all in one transaction. */
import { ledgerTables } from './001-ledger.ts'
import { accountTables } from './002-accounts.ts'
import { mailRecipients } from './003-mail-recipients.ts'
import { refusalsByTime } from './004-refusals-by-time.ts'
import { usageDays } from './005-usage-days.ts'
import { growingTables } from './006-growing-tables.ts'
import { boundRegistrations } from './007-bound-registrations.ts'
import { failedAttempts } from './008-failed-attempts.ts'
import { grantReferences } from './009-grant-references.ts'
import { operatorCommands } from './010-operator-commands.ts'
import { requestIds } from './011-request-ids.ts'
import { givenRequestIds } from './012-given-request-ids.ts'
import { teamKeys } from './013-team-keys.ts'
import { creditLots } from './014-credit-lots.ts'
import { webhooks } from './015-webhooks.ts'
import { operatorTokens } from './016-operator-tokens.ts'
import { proofs } from './017-proofs.ts'
import { erasure } from './018-erasure.ts'
import { endedKeys } from './019-ended-keys.ts'
import { approvals } from './020-approvals.ts'
import { plans } from './021-plans.ts'
import { auditSalts } from './022-audit-salts.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [
  ledgerTables,
  accountTables,
  mailRecipients,
  refusalsByTime,
  usageDays,
  growingTables,
  boundRegistrations,
  failedAttempts,
  grantReferences,
  operatorCommands,
  requestIds,
  givenRequestIds,
  teamKeys,
  creditLots,
  webhooks,
  operatorTokens,
  proofs,
  erasure,
  endedKeys,
  approvals,
  plans,
  auditSalts,
]

/** Records which migrations a database has had. */
export const migrationsTable = 'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)'
