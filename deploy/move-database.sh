#!/usr/bin/env bash
# Moves the database of quantd while its nodes run: from one PostgreSQL to a Citus cluster, or back.
#
#   move-database.sh FROM TO
#
# Both are URLs, of a coordinator where it is a cluster. TO has the tables, made by `DATABASE_URL=TO quantd admin verify-ledger`,
# and no rows. Needs psql and pg_dump, not older than the servers, and a role that owns the tables.
# Most rows of the audit, and of the groups that prove it, are copied first. Then FROM refuses writes, so that calls are answered 503
# and charged nothing, and the rest is copied. If that fails, FROM accepts writes again.
set -euo pipefail
from=${1:?usage: move-database.sh FROM TO} to=${2:?usage: move-database.sh FROM TO}
# Rows of the last minute may still be written.
MARGIN_MS=60000
# Events of this time may still be changed.
CHANGED_MS=$((2 * 24 * 3600 * 1000))
# Rows that were written during a copy that took so long are copied before calls are refused.
LONG_S=10

in_from() { psql -X -q -At -v ON_ERROR_STOP=1 "$from" -c "$1"; }
in_to() { psql -X -q -At -v ON_ERROR_STOP=1 "$to" -c "$1"; }
copy() { in_from "COPY (SELECT * FROM $1 WHERE $2) TO STDOUT" | in_to "COPY $1 FROM STDIN"; }
# Rows that may have been changed since they were copied.
copy_again() {
  in_to "DELETE FROM audit WHERE $1"
  copy audit "$1"
}
IS_CLUSTER="SELECT count(*) FROM pg_extension WHERE extname = 'citus'"
from_cluster=$(in_from "$IS_CLUSTER") to_cluster=$(in_to "$IS_CLUSTER")

# Runs a statement on each server of FROM.
on_each() {
  if [[ $from_cluster == 0 ]]; then
    in_from "$1"
  elif [[ $(in_from "SELECT bool_and(success) FROM run_command_on_all_nodes(\$each\$$1\$each\$)") != t ]]; then
    echo "A server of the cluster refused: $1" >&2
    return 1
  fi
}
database=$(in_from 'SELECT quote_ident(current_database())')
refuse_writes() {
  on_each "ALTER DATABASE $database SET default_transaction_read_only = on"
  on_each "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'quantd%'" > /dev/null
}
accept_writes() {
  echo 'The move failed; the nodes write to the former database again.' >&2
  PGOPTIONS='-c default_transaction_read_only=off' on_each \
    "SET TRANSACTION READ WRITE; ALTER DATABASE $database RESET default_transaction_read_only"
}

if [[ $(in_to 'SELECT count(*) FROM accounts') != 0 ]]; then
  echo 'TO has accounts already: make a new database.' >&2
  exit 1
fi
started=$(in_from 'SELECT (extract(epoch FROM now()) * 1000)::bigint')
# Accounts whose rows are being erased.
erased=$(in_from "SELECT coalesce(string_agg(id::text, ', '), 'NULL') FROM accounts WHERE erased_until IS NOT NULL")
copied=0 took=$LONG_S
while ((took >= LONG_S)); do
  until=$(in_from "SELECT (extract(epoch FROM now()) * 1000)::bigint - $MARGIN_MS") began=$SECONDS
  for table in audit audit_groups; do copy $table "at >= $copied AND at < $until"; done
  copied=$until took=$((SECONDS - began))
done
echo 'Most of the audit is copied. Calls are refused from now on.'

paused=$(date +%s%N)
trap accept_writes EXIT
refuse_writes
for table in audit audit_groups; do copy $table "at >= $copied"; done
copy_again "kind <> 'computation' AND at >= $copied - $CHANGED_MS AND at < $copied"
erased+=$(in_from "SELECT coalesce(string_agg(', ' || id, ''), '') FROM accounts WHERE deleted_at >= $started")
copy_again "account_id IN ($erased) AND at < $copied"
tables=$(in_to "SELECT string_agg(quote_ident(relname), ', ') FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT relispartition
    AND relname NOT IN ('audit', 'audit_groups', 'migrations')")
{
  # What making the tables has written.
  echo "TRUNCATE $tables;"
  pg_dump --data-only --no-owner --schema=public \
    --exclude-table='(audit|audit_groups|audit_default|audit_earlier|audit_[0-9]+|migrations|addresses)' "$from"
  if [[ $to_cluster != 0 ]]; then
    echo 'INSERT INTO public.addresses (address, account_id) SELECT address, id FROM public.accounts WHERE address IS NOT NULL;'
  fi
  # Retention may have deleted rows after they were copied.
  for table in audit audit_groups; do
    echo "DELETE FROM public.$table WHERE at < $(in_from "SELECT coalesce(min(at), 0) FROM $table");"
  done
} | psql -X -q -v ON_ERROR_STOP=1 --single-transaction -o /dev/null "$to"
trap - EXIT
printf 'Moved in %d ms. Start the nodes with the new DATABASE_URL.\n' $((($(date +%s%N) - paused) / 1000000))
