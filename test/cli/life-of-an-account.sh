#!/bin/sh
# A whole life of an account by the command line alone. Usage: life-of-an-account.sh PATH-TO-bin/quantd.js
# Needs QUANTD_DATA_DIR, an empty folder. Ends with "ok"; stops at the first step that does not do as it says.
set -eu
quantd=$1
who=ada@example.org

admin() { node "$quantd" admin "$@"; }

# expect CODE COMMAND …: the command must exit with that code.
expect() {
  wanted=$1
  shift
  code=0
  "$@" >/dev/null 2>&1 || code=$?
  [ "$code" = "$wanted" ] || { echo "exit code $code, not $wanted: $*" >&2; exit 1; }
}

# field NAME: the value of a field of the JSON object on standard input.
field() {
  node -e 'const value = JSON.parse(require("fs").readFileSync(0, "utf8"))[process.argv[1]]
           console.log(typeof value === "object" ? JSON.stringify(value) : value)' "$1"
}

# is WANTED GOT
is() { [ "$1" = "$2" ] || { echo "$2 is not $1" >&2; exit 1; }; }

expect 1 admin show "$who"

made=$(printf 'correct horse battery staple\n' |
  admin create "$who" --username Ada --credits 10 --password-stdin --json)
is 1 "$(echo "$made" | field account_id)"
is active "$(echo "$made" | field api_key_status)"
echo "$made" | field api_key | grep -Eq '^qd_user_[0-9A-Za-z]{43}$'
expect 1 admin create "$who"

is 10 "$(admin show "$who" --json | field credits)"
is 35 "$(admin grant "$who" 25 --note 'invoice 1' --json | field credits)"
expect 2 admin grant "$who" -- -25
is pro "$(admin set-tier 1 pro --json | field account_type)"
is suspended "$(admin suspend "$who" --json | field api_key_status)"
is active "$(admin unsuspend "$who" --json | field api_key_status)"
is '{"hour":9000,"day":20000,"own_hour":9000,"own_day":20000}' \
  "$(admin set-limits "$who" --hour 9000 --day 20000 --json | field limits)"
is 1 "$(admin list --json | grep -c '"account_id"')"

check=$(admin verify-ledger --json)
is true "$(echo "$check" | field ok)"
digest=$(echo "$check" | field digest)
node "$quantd" backup "$QUANTD_DATA_DIR/copy.db" >/dev/null
is "$digest" "$(admin verify-ledger --json | field digest)"

is 6 "$(admin export-audit --account "$who" | grep -c '"kind":"event"')"
is 7 "$(admin export-audit --account "$who" --format csv | wc -l | tr -d ' ')"

expect 2 admin delete-account "$who"
is true "$(admin delete-account "$who" --yes --json | field deleted)"
expect 1 admin show 1
is 7 "$(admin export-audit --account 1 | grep -c '"kind":"event"')"
expect 0 admin verify-ledger
echo ok
