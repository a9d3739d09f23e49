/** .env.example lists every setting, and shows values that can be read. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../../src/app/config/read-config.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const text = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const shown = [...text('../../../.env.example').matchAll(/^#?([A-Z][A-Z_]+)=('?)(.*)\2$/gm)].map(
  ([, name, , value]) => [name!, value!] as const,
)

/** Names in src/app/config/read-config.ts and beside it: as properties of the environment and as words in quotes. */
const read = new Set(
  [
    ...[
      '../../../src/app/config/read-config.ts',
      '../../../src/app/config/read-config.ts',
      '../../../src/app/config/operators.ts',
      '../../../src/app/config/plan.ts',
    ]
      .map(text)
      .join('')
      .matchAll(/\benvironment\.([A-Z][A-Z_]+)|'([A-Z][A-Z_]{3,})'/g),
  ]
    .map(([, property, quoted]) => (property ?? quoted)!)
    .filter((name) => !/^QUANTD_(TEST_)?$/.test(name)),
)

test('every setting that src/app/config/read-config.ts reads is listed once, and no other', () => {
  assert.ok(read.has('QUANTD_COSTS') && read.has('HOST') && read.has('DATABASE_URL'))
  assert.deepEqual(shown.map(([name]) => name).sort(), [...read].sort())
})

test('a shell that loads the file as its head says, with every line in use, gets the values shown', () => {
  const folder = temporaryFolder('env')
  const file = join(folder, '.env')
  writeFileSync(file, text('../../../.env.example').replaceAll(/^#([A-Z][A-Z_]+=)/gm, '$1'))
  const loaded = execFileSync('sh', ['-c', 'set -a; . "$0"; set +a; env -0', file], { encoding: 'utf8' })
  const lines = loaded.split('\0')
  for (const [name, value] of shown) assert.ok(lines.includes(`${name}=${value}`), `${name}=${value}`)
})

test('the values shown can be read, and the plain ones are the defaults', () => {
  // Settings without a default are shown empty.
  const values = Object.fromEntries(shown.filter(([, value]) => value !== ''))
  assert.equal(readConfig(values).corsOrigins.length, 2)
  assert.equal(readConfig(values).plan.costs['/quantlib/ml/clustering/isolation-forest'], 5)
  const defaults = readConfig({})
  const same = [
    ...([
      'HOST',
      'PORT',
      'METRICS_PORT',
      'QUANTD_DATA_DIR',
      'QUANTD_IP_LIMITS',
      'QUANTD_CONNECTIONS_PER_ADDRESS',
      'QUANTD_BODY_LIMIT',
      'QUANTD_MIN_FREE_MIB',
      'QUANTD_MAX_UNPAID_ROWS',
      'METRICS_HOST',
      'QUANTD_REGISTRATION',
      'QUANTD_GUESTS',
      'QUANTD_TIERS',
      'QUANTD_INITIAL_CREDITS',
      'LOG_REQUESTS',
    ] as const),
    ...(['QUANTD_PROCESSES', 'LOG_LEVEL', 'MAIL_FROM'] as const),
  ]
  assert.deepEqual(readConfig(Object.fromEntries(same.map((name) => [name, values[name]]))), {
    ...defaults,
    metricsPortGiven: true,
  })
})

test('each setting has a comment above it', () => {
  const lines = text('../../../.env.example').split('\n')
  for (const [name] of shown) {
    const index = lines.findIndex((line) => line.startsWith(`#${name}=`) || line.startsWith(`${name}=`))
    const above = lines
      .slice(0, index)
      .reverse()
      .find((line) => !/^#?[A-Z_]+=/.test(line))
    assert.match(above ?? '', /^# [A-Za-z]/, name)
  }
})
