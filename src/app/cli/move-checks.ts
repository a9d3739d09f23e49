/** The checks of a move, which both databases must pass with the same result, and its summary. */
import { plural } from '../../base/text.ts'
import { checkAudit } from '../../ledger/receipts/verify-audit.ts'
import type { MovedRows } from '../../ledger/store/postgres/move-target.ts'
import { first, type ResultOf, type Sql } from '../../ledger/store/sql.ts'
import type { Runner } from '../../ledger/store/store.ts'
import { checkJson, checkLedger, checkText, faultsIn as ledgerFaults } from '../../operators/ledger-check.ts'
import { MASTER_KEY_CHECK } from '../../secrets/master-keys.ts'
import { openVault } from '../../secrets/vault.ts'
import type { Config } from '../config/read-config.ts'
import { openKeys, refuseOtherKey } from '../main/foundation.ts'
import type { Terminal } from './terminal.ts'

export type MoveChecks = ResultOf<typeof checks>

export function* checks(sql: Sql) {
  return {
    ledger: yield* checkLedger(sql, null),
    audit: yield* checkAudit(sql, { exported: [], keys: null }),
  }
}

export const faultsIn = ({ audit, ledger }: MoveChecks): number => ledgerFaults(ledger) + audit.faults.length

/** Throws ConfigError or MasterKeyError if the master key of the settings is not that of the database. */
export async function checkKey(source: Runner, config: Config, terminal: Terminal): Promise<void> {
  const keys = openKeys(config, { error: terminal.tell, info: () => undefined }, { isNewDatabase: false })
  try {
    const stored = await source.run(({ db }) =>
      first(db.selectFrom('facts').select('value').where('name', '=', MASTER_KEY_CHECK)),
    )
    if (stored !== undefined) refuseOtherKey(stored.value, openVault(keys))
  } finally {
    keys.close()
  }
}

interface Moved {
  readonly moved: MovedRows
  readonly expected: MoveChecks
  readonly seconds: number
  readonly file: string
}

export function summary({ expected, file, moved, seconds }: Moved, json: boolean): string {
  const { audit, ledger } = expected
  const sum = Object.values(moved).reduce((rows, more) => rows + more, 0)
  if (json)
    return `${JSON.stringify({ tables: moved, rows: sum, seconds, ledger: checkJson(ledger), audit })}\n`
  return `${[
    ...Object.entries(moved).map(([table, rows]) => `${table.padEnd(20)} ${rows}`),
    `Moved ${plural(sum, 'row')} of ${plural(Object.keys(moved).length, 'table')} in ${seconds} s. In both databases:`,
    checkText(checkJson(ledger)),
    `${plural(audit.rows, 'row')} of the audit in ${plural(audit.groups, 'group')}, ${plural(audit.checkpoints, 'checkpoint')}: ${audit.faults.length === 0 ? 'nothing was altered' : 'NOT as they were signed'}`,
    `Start the service with these settings. Keep ${file} as a backup, but start no service on it.`,
  ].join('\n')}\n`
}
