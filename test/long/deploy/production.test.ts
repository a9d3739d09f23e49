/**
 * The commands of docs/how-to/run-in-production.md, run as written on a machine of their own: a copy of this one's folders, network and
 * processes. PostgreSQL, Caddy and the service are real; systemd does not run in containers, so a script stands in for `systemctl`.
 */
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { before, it } from 'node:test'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { attempt, newUser, program, root } from './command.ts'
import { pack } from './pack.ts'

/** The folders that the commands change. */
const CHANGED = ['/etc', '/opt', '/root', '/run', '/usr/local', '/var']
const HOST = 'quantd.example.org'
const PRICE = '{"S":100,"K":90,"T":0.1,"r":0.1,"sigma":0.12,"theta_vg":-0.14,"nu":0.2}'

const page = readFileSync(join(root, 'docs/how-to/run-in-production.md'), 'utf8')
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text!)

/** Does what systemd does with the units: their user, folders, settings and commands. `verify` is systemd's own. */
const SYSTEMCTL = `#!/bin/bash
set -euo pipefail
units=/etc/systemd/system
value() { sed -n "s/^$2=//p" "$units/$1.service"; }
# Runs a command as the unit would.
within() {
  local unit=$1 folder; shift
  for folder in $(value "$unit" StateDirectory); do install -d -o quantd -m 700 "/var/lib/$folder"; done
  install -d -o quantd /var/cache/quantd
  cd /
  env -i PATH=/usr/local/bin:/usr/bin:/bin $(value "$unit" Environment | sed 's,%S,/var/lib,g; s,%C,/var/cache,g') \\
    $(grep -v '^#' /etc/quantd.env) setpriv --reuid=quantd --regid=quantd --clear-groups "$@"
}
id quantd > /dev/null 2>&1 || useradd --system quantd
case "$*" in
  daemon-reload)
    complaints=$(systemd-analyze verify $(find "$units" -maxdepth 1 -name 'quantd*' -type f) 2>&1)
    test -z "$complaints" || { echo "$complaints" >&2; exit 1; } ;;
  'enable --now quantd')
    within quantd $(value quantd ExecStart) > /var/log/quantd.log 2>&1 &
    ready=$(value quantd ExecStartPost | sed 's/^.*-e "//; s/"$//; s/[$][$]/$/g')
    within quantd timeout 120 node -e "$ready" || { cat /var/log/quantd.log >&2; exit 1; } ;;
  'enable --now quantd-nightly.timer')
    systemd-analyze calendar "$(sed -n 's/^OnCalendar=//p' "$units/quantd-nightly.timer")" > /dev/null ;;
  'start quantd-nightly') within quantd-nightly $(value quantd-nightly ExecStart) ;;
  'restart caddy')
    # No authority of certificates is reached from here, so Caddy is its own.
    sed -i '0,/^{$/s//{\\n\\tlocal_certs\\n\\tskip_install_trust/' /etc/caddy/Caddyfile
    caddy run --config /etc/caddy/Caddyfile > /var/log/caddy.log 2>&1 & ;;
  *) echo "systemctl $* is unknown here" >&2; exit 1 ;;
esac
`
/** Debian's packages are there; PostgreSQL begins with a cluster, as its package does. */
const APT_GET = `#!/bin/sh
test "$*" = 'install -y postgresql caddy curl openssl'
`

const INNER = 'exec unshare --net --pid --fork --kill-child --mount-proc'

const machineIn = (place: string): string => `mkdir '${place}/changed'
mount -t tmpfs -o mode=755 tmpfs '${place}/changed'
for path in ${CHANGED.join(' ')}; do
  mkdir -p "${place}/changed/upper$path" "${place}/changed/work$path"
  chmod --reference="$path" "${place}/changed/upper$path"
  mount -t overlay overlay -o "lowerdir=$path,upperdir=${place}/changed/upper$path,workdir=${place}/changed/work$path" "$path"
done
ln -sf '${process.execPath}' /usr/local/bin/node
rm -rf /etc/postgresql/*/main /var/lib/postgresql/*/main /etc/quantd.env /opt/quantd /var/lib/quantd /var/lib/quantd-backups
`

const NETWORK = `ip link set lo up
echo '127.0.0.1 ${HOST}' >> /etc/hosts
pg_createcluster "$(ls /usr/lib/postgresql | tail -n 1)" main > /dev/null 2>&1
pg_ctlcluster --skip-systemctl-redirect "$(ls /usr/lib/postgresql | tail -n 1)" main start
export CURL_CA_BUNDLE=/root/.local/share/caddy/pki/authorities/local/root.crt
`

/** A price through the proxy, by the service that the page has set up. */
const LAST = `printf '\\n@@last\\n'
key=$(quantd admin create grace@example.org | sed -n 's/^API key *//p')
curl --silent --fail "https://${HOST}/quantlib/models/variance-gamma/price" -H "X-API-Key: $key" -H 'Content-Type: application/json' -d '${PRICE}'
`

const folder = temporaryFolder('production')
let printed: string[] = []

before(() => {
  const { tarball } = pack()
  copyFileSync(tarball, join(folder, basename(tarball)))
  const shims = join(folder, 'bin')
  mkdirSync(shims)
  for (const [name, text] of [
    ['systemctl', SYSTEMCTL],
    ['apt-get', APT_GET],
  ] as const)
    writeFileSync(join(shims, name), text, { mode: 0o755 })
  const named = blocks.map((text, index) => `printf '\\n@@${index}\\n'\n${text}`)
  // The first block needs the network of this machine, for npm.
  writeFileSync(join(folder, 'rest.sh'), `${NETWORK}${named.slice(1).join('\n')}\n${LAST}`)
  writeFileSync(join(folder, 'all.sh'), `${machineIn(folder)}${named[0]}\n${INNER} bash -eu rest.sh`)
  const env = newUser('/root')
  const { status, stdout, stderr } = attempt(
    program('unshare', 'util-linux'),
    ['--mount', 'bash', '-eu', 'all.sh'],
    {
      cwd: folder,
      env: { ...env, PATH: `${shims}:${env.PATH}:/usr/sbin:/sbin` },
    },
  )
  assert.equal(status, 0, stdout + stderr)
  printed = stdout.split(/\n@@\w+\n/)
})

it('the commands lead to a price over TLS', () => {
  assert.equal(printed.at(-1), '{"success":true,"data":{"vg_call_price":10.99370318672906}}')
})

it('the first account has a key and the credits of its grant', () => {
  assert.match(outputOf('quantd admin create'), /ada@example\.org[\s\S]*qd_user_[\s\S]*pro[\s\S]*5[,\s]?350/)
})

it('the copy of the night passes its check, and restores to the same ledger', () => {
  const [drill, night] = outputOf('pg_restore')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.match(night.digest, /^[0-9a-f]{8,}$/)
  assert.equal(drill.digest, night.digest)
})

/** What the block of the page that has a command printed. */
function outputOf(command: string): string {
  const index = blocks.findIndex((text) => text.includes(command))
  assert.ok(index >= 0, command)
  return printed[index + 1]
}
