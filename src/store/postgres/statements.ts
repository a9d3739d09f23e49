/** The statements of the hot path on PostgreSQL: prepared once a connection, and told apart by their names. */
import { accountColumns, bindingColumns } from '../rows.ts'

export const NOW = `(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`

/**
 * Changes whenever what was not yet durable may be lost: with every start of the server and, where only one of its
 * processes was killed and the postmaster recovers by itself, with the statistics, which a crash discards.
 */
const EPOCH = `concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time()) AS epoch`

export const auditColumns =
  'id, at, account_id, key_id, kind, method, path, status, code, credits, calls, ip, request_id, duration_ms, replayed, detail'

export const LOOKUPS = {
  lookup: `SELECT k.hash, k.id, k.account_id, k.status, a.verified_at, a.expires_at, ${NOW}
    FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ANY ($1::bytea[])`,
} as const

export const LEDGER = {
  begin: 'BEGIN',
  unforced: 'SET LOCAL synchronous_commit = off',
  // What a lock was waited for, is read as its last holder left it.
  accounts: `SELECT ${accountColumns} FROM accounts WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE`,
  // The clock must not be read before the locks are held; without any key there is one row of it all the same.
  keys: `SELECT ${NOW}, ${EPOCH}, k.id, k.account_id, k.status
    FROM (SELECT) AS once LEFT JOIN api_keys k ON k.id = ANY ($1::bigint[])`,
  bindings: `SELECT ${bindingColumns} FROM bindings
    JOIN json_to_recordset($1::json) AS wanted (account_id bigint, idempotency_key text)
    USING (account_id, idempotency_key)`,
  written: `SELECT id, credits, replayed FROM audit WHERE id = ANY ($1::text[])`,
  'write accounts': `UPDATE accounts a SET balance = n.balance, minute_started_at = n.minute_started_at,
    minute_count = n.minute_count, hour_started_at = n.hour_started_at, hour_count = n.hour_count,
    day_started_at = n.day_started_at, day_count = n.day_count
    FROM json_populate_recordset(NULL::accounts, $1::json) n WHERE a.id = n.id`,
  'write audit': `COPY audit (${auditColumns}) FROM STDIN`,
  'write bindings': `INSERT INTO bindings SELECT * FROM json_populate_recordset(NULL::bindings, $1::json)
    ON CONFLICT (account_id, idempotency_key) DO UPDATE SET request_hash = excluded.request_hash,
    audit_id = excluded.audit_id, expires_at = excluded.expires_at, replayed = excluded.replayed`,
  'write refusals': `INSERT INTO refusals SELECT * FROM json_populate_recordset(NULL::refusals, $1::json)
    ON CONFLICT (key_id, ip, code, minute) DO UPDATE SET count = refusals.count + excluded.count`,
} as const
