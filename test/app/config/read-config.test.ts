/** The settings, and the one-line error for each invalid one. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../../src/app/config/read-config.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const refused = (environment: Record<string, string>, message: RegExp) =>
  assert.throws(() => readConfig(environment), { name: 'ConfigError', message })

test('every setting is optional', () => {
  const config = readConfig({})
  assert.deepEqual(
    [
      config.host,
      config.port,
      config.databaseUrl,
      config.processes,
      config.metricsPort,
      config.bodyLimitBytes,
    ],
    ['127.0.0.1', 8080, null, 1, 9464, 16_777_216],
  )
  assert.ok(Object.isFrozen(config))
})

test('an empty value is read as unset', () => {
  assert.equal(readConfig({ PORT: '', QUANTD_PROCESSES: '', SMTP_URL: '' }).port, 8080)
})

test('an unknown setting and an invalid value are refused by name', () => {
  refused({ QUANTD_DATADIR: 'x' }, /QUANTD_DATADIR is not a setting/)
  refused({ PORT: '80a' }, /PORT is "80a"; it takes a whole number from 0 to 65535/)
  refused({ PORT: '65536' }, /PORT/)
  refused({ QUANTD_PROCESSES: '0' }, /QUANTD_PROCESSES/)
  refused({ QUANTD_IP_LIMITS: 'no' }, /one of: on, off/)
  refused({ LOG_LEVEL: 'loud' }, /LOG_LEVEL/)
  refused({ DATABASE_URL: 'mysql://x' }, /DATABASE_URL is not a URL of the form postgres:.*several hosts/)
  refused({ DATABASE_URL: 'postgres://u:a/b@db/quantd' }, /the password write \/ as %2F/)
  refused({ SMTP_URL: 'smtp://u:a/b@mail.example.org' }, /the password write \/ as %2F/)
  refused({ SMTP_URL: 'mail.example.org' }, /SMTP_URL/)
  refused({ QUANTD_COSTS: 'x=1' }, /QUANTD_COSTS/)
})

test('a misspelt name is refused with the one that is meant, with and without the prefix', () => {
  for (const [name, meant] of [
    ...[['DATABSE_URL', 'DATABASE_URL'] as const, ['QUANTD_DATABASE_URL', 'DATABASE_URL'] as const],
    ...[['METRIC_PORT', 'METRICS_PORT'] as const, ['SMPT_URL', 'SMTP_URL'] as const],
    ...[['QUANTD_DATADIR', 'QUANTD_DATA_DIR'] as const, ['QUANTD_PORT', 'PORT'] as const],
    ...[['QUANTED_DATA_DIR', 'QUANTD_DATA_DIR'] as const, ['LOG_REQUEST', 'LOG_REQUESTS'] as const],
    ...[['QUANTD_DATABSE_URL', 'DATABASE_URL'] as const, ['MAIL_FORM', 'MAIL_FROM'] as const],
  ])
    refused({ [name]: 'x' }, new RegExp(`^${name} is not a setting of quantd; ${meant} is; .*$`))
  refused({ QUANTD_COLOUR: 'x' }, /^QUANTD_COLOUR is not a setting of quantd; the command/)
})

test("other programs' names pass; those that lack the prefix cause a line in the log", () => {
  const others = { DATABASE_URL_TEST: 'x', POST: 'x', HOSTS: 'x', HOSTNAME: 'x', SMTP_HOST: 'x', DB_URL: 'x' }
  assert.deepEqual(readConfig(others).warnings, [])
  // Set to nothing, the right name says that the other one belongs to somebody else.
  assert.deepEqual(readConfig({ EMAIL_FROM: 'x', MAIL_FROM: '' }).warnings, [])
  const { warnings } = readConfig({ TRUSTED_PROXIES: 'x', MASTER_KEY: 'x', QUANTD_MASTER_KEY: 'y' })
  assert.equal(warnings.length, 1)
  assert.match(warnings[0], /^TRUSTED_PROXIES is set .* name it QUANTD_TRUSTED_PROXIES$/)
})

test('an address of operators that other machines can reach causes a line in the log, if there is a listener', () => {
  const warningsOf = (host: string, port: string) =>
    readConfig({ QUANTD_OPERATOR_HOST: host, QUANTD_OPERATOR_PORT: port }).warnings
  assert.match(
    warningsOf('10.0.0.1', '9000').join('\n'),
    /^QUANTD_OPERATOR_HOST is "10\.0\.0\.1", which other machines/,
  )
  for (const [host, port] of [
    ['10.0.0.1', '0'],
    ['10.0.0.1', ''],
    ['', '9000'],
    ['127.0.0.1', '9000'],
  ] as const)
    assert.deepEqual(warningsOf(host, port), [], `${host}:${port}`)
})

test('proxies that are half the internet are refused', () => {
  for (const range of ['0.0.0.0/0', '::/0', '128.0.0.0/1', '10.0.0.0/7', '2000::/3'])
    refused({ QUANTD_TRUSTED_PROXIES: `127.0.0.1,${range}` }, /^QUANTD_TRUSTED_PROXIES holds ".*", which is/)
  const own = ['10.0.0.0/8', 'fc00::/7', '192.168.1.7', '::1']
  assert.deepEqual(readConfig({ QUANTD_TRUSTED_PROXIES: own.join() }).trustedProxies, own)
})

test('the sender of mails is an address, with or without a name', () => {
  for (const text of [
    'not an address',
    'quantd',
    'quantd <quantd@>',
    'a@b, c@d',
    'a@b@c',
    "'a <a@b>'",
    'a@b\nc',
  ])
    refused({ MAIL_FROM: text }, /^MAIL_FROM is ".*"; it takes an address/s)
  for (const text of ['a@b', 'quantd <quantd@localhost>', '"Quant, Ltd" <a@b.org>', '<a@b.org>'])
    assert.equal(readConfig({ MAIL_FROM: text }).mailFrom, text)
})

test('the mode of TLS to PostgreSQL is one that exists, and its absence is told', () => {
  const warningsOf = (url: string, more = {}) =>
    readConfig({ DATABASE_URL: url, QUANTD_MASTER_KEY: 'x', ...more }).warnings
  for (const mode of ['wrong', 'verify_full', ''])
    refused(
      { DATABASE_URL: `postgres://db/quantd?sslmode=${mode}` },
      /^DATABASE_URL has sslmode=.*verify-full/,
    )
  const plain = /^DATABASE_URL does not ask for TLS.*sslmode=verify-full&sslrootcert=FILE/
  for (const url of ['postgres://db/q', 'postgres://127.0.0.1,db/q?target_session_attrs=primary']) {
    assert.match(warningsOf(url).join(), plain)
    assert.deepEqual(warningsOf(url, { PGSSLMODE: 'verify-full' }), [])
  }
  for (const url of [
    ...['postgres://localhost/q', 'postgres://[::1]:5432/q', 'postgres://%2Frun%2Fpostgresql/q'],
    ...['postgres://db/q?sslmode=verify-full', 'postgres://db/q?sslmode=disable', 'postgres://db/q?ssl=true'],
    'postgres://any/q?host=/run/postgresql',
  ])
    assert.deepEqual(warningsOf(url), [], url)
  const both = warningsOf('postgres://localhost/q', { DATABASE_REPLICA_URL: 'postgres://standby/q' })
  assert.match(both.join(), /^DATABASE_REPLICA_URL does not ask for TLS/)
})

test('several nodes need PostgreSQL, and divide the cores among their threads', () => {
  refused({ QUANTD_PROCESSES: '2' }, /needs PostgreSQL .* threads use the other cores/)
  const shared = { DATABASE_URL: 'postgres://db/quantd', QUANTD_MASTER_KEY: 'x' }
  const threads = (settings: Record<string, string>) => readConfig({ ...shared, ...settings }).computeThreads
  const cores = availableParallelism()
  assert.equal(threads({}), Math.max(1, cores - 1))
  assert.equal(threads({ QUANTD_PROCESSES: '2' }), Math.max(1, Math.floor(cores / 2) - 1))
  assert.equal(threads({ QUANTD_PROCESSES: '2', QUANTD_COMPUTE_THREADS: '3' }), 3)
})

test('PostgreSQL needs a master key that every node has', () => {
  refused({ DATABASE_URL: 'postgres://db/quantd' }, /needs QUANTD_MASTER_KEY/)
  refused({ QUANTD_MASTER_KEY: 'a', QUANTD_MASTER_KEY_FILE: 'b' }, /not both/)
})

test('costs are given per path', () => {
  const { costs } = readConfig({ QUANTD_COSTS: '/quantlib/a=5, /quantlib/b=0' }).plan
  assert.deepEqual(costs, { '/quantlib/a': 5, '/quantlib/b': 0 })
  for (const text of ['/quantlib/a=5=6', '/quantlib/a', '/quantlib/a='])
    refused({ QUANTD_COSTS: text }, /^QUANTD_COSTS holds ".*"; write \/quantlib/)
})

test('a secret may be in a file, which white space may surround', () => {
  const folder = temporaryFolder('config')
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content, { mode: 0o600 })
    return join(folder, name)
  }
  const database = file('database', 'postgres://u:p@db/quantd\n')
  const token = file('token', '  0123456789abcdef\n')
  const config = readConfig({
    DATABASE_URL_FILE: database,
    SMTP_URL_FILE: file('smtp', 'smtp://mail.example.org\n'),
    METRICS_TOKEN_FILE: token,
    QUANTD_MASTER_KEY: 'k',
  })
  assert.deepEqual(
    [config.databaseUrl, config.smtpUrl, config.metricsToken],
    ['postgres://u:p@db/quantd', 'smtp://mail.example.org', '0123456789abcdef'],
  )
  refused({ DATABASE_URL_FILE: database, DATABASE_URL: 'postgres://db/x' }, /Set DATABASE_URL or .*not both/)
  refused({ SMTP_URL_FILE: join(folder, 'absent') }, /^SMTP_URL_FILE names .*absent, which cannot be read/)
  refused({ METRICS_TOKEN_FILE: file('empty', '\n') }, /METRICS_TOKEN_FILE names .*, which is empty/)
  refused({ SMTP_URL_FILE: token }, /^SMTP_URL_FILE is not a URL of the form smtp:/)
})

test('a file of a secret is a small regular file that is closed to others', () => {
  const folder = temporaryFolder('config')
  const path = join(folder, 'secret')
  const settings = ['DATABASE_URL_FILE', 'DATABASE_REPLICA_URL_FILE', 'SMTP_URL_FILE', 'METRICS_TOKEN_FILE']
  const refusedAll = (file: string, why: RegExp) => {
    for (const name of settings)
      refused({ [name]: file }, new RegExp(`^${name} names \\S+, which ${why.source}`))
  }
  writeFileSync(path, '0123456789abcdef', { mode: 0o600 })
  for (const mode of [0o644, 0o640, 0o604]) {
    chmodSync(path, mode)
    refusedAll(path, /can be read by its group or by others \(mode 06\d\d\); .*: chmod 600 \S+$/)
  }
  for (const mode of [0o602, 0o620]) {
    chmodSync(path, mode)
    refusedAll(path, /can be written by its group or by others/)
  }
  chmodSync(path, 0o600)
  writeFileSync(path, 'a'.repeat(65_537))
  refusedAll(path, /holds more than 65536 bytes$/)
  execFileSync('mkfifo', ['-m', '600', join(folder, 'fifo')])
  for (const file of ['/dev/zero', folder, join(folder, 'fifo')]) refusedAll(file, /is not a regular file$/)
})

test('metrics that other machines can reach need a token', () => {
  refused({ METRICS_HOST: '0.0.0.0' }, /METRICS_HOST is "0.0.0.0".*set METRICS_TOKEN/)
  refused({ METRICS_TOKEN: 'short' }, /METRICS_TOKEN is too short; it takes at least 16 characters/)
  refused({ METRICS_TOKEN: '0123456789 abcdef' }, /without spaces/)
  assert.equal(readConfig({ METRICS_HOST: '::1' }).metricsToken, null)
  assert.equal(readConfig({ METRICS_HOST: '0.0.0.0', METRICS_PORT: '0' }).metricsPort, 0)
})

test('two listeners cannot have one address', () => {
  refused({ PORT: '9000', METRICS_PORT: '9000' }, /METRICS_PORT is 9000, as is PORT: set one/)
  refused({ QUANTD_OPERATOR_PORT: '8080' }, /QUANTD_OPERATOR_PORT is 8080, as is PORT/)
  refused({ METRICS_PORT: '9', QUANTD_OPERATOR_PORT: '9' }, /QUANTD_OPERATOR_PORT is 9, as is METRICS_PORT/)
  const two = { DATABASE_URL: 'postgres://db/quantd', QUANTD_MASTER_KEY: 'x', QUANTD_PROCESSES: '2' }
  const second = { ...two, METRICS_PORT: '9464' }
  refused(
    { ...second, PORT: '9465' },
    /METRICS_PORT \+ 1, the metrics port of process 2, is 9465, as is PORT/,
  )
  refused(
    { ...second, QUANTD_OPERATOR_PORT: '9465' },
    /QUANTD_OPERATOR_PORT is 9465, as is METRICS_PORT \+ 1/,
  )
  readConfig({ ...two, PORT: '9465' })
  readConfig({ PORT: '0', METRICS_PORT: '0', QUANTD_OPERATOR_PORT: '0' })
  readConfig({ PORT: '9464' })
  readConfig({ HOST: '10.0.0.1', PORT: '9000', METRICS_PORT: '9000' })
})

test('tiers and initial credits have the defaults of the specification, each of which can be set', () => {
  const { initialCredits, tiers } = readConfig({}).plan
  assert.deepEqual(initialCredits, { registered: 350, guest: 50 })
  assert.deepEqual(
    Object.values(tiers).map(({ hour }) => hour),
    [60, 500, 1_000, 2_000, 5_000],
  )
  const own = readConfig({
    QUANTD_TIERS: 'guest=10,free=20/100, pro=9',
    QUANTD_INITIAL_CREDITS: 'guest=0',
  })
  assert.deepEqual(own.plan.initialCredits, { registered: 350, guest: 0 })
  assert.deepEqual(own.plan.tiers, {
    ...tiers,
    guest: { hour: 10, day: 50 },
    free: { hour: 20, day: 100 },
    pro: { hour: 9, day: null },
  })
  for (const text of ['gold=5', 'free', 'free=0', 'free=5/0', 'free=-1', 'free=1.5', 'toString=5'])
    refused({ QUANTD_TIERS: text }, /^QUANTD_TIERS holds ".*"; write tier=requests an hour, .*free, basic/)
  for (const text of ['free=5', 'guest=x', 'guest', 'guest=-1', 'guest=5=6', 'valueOf=1'])
    refused({ QUANTD_INITIAL_CREDITS: text }, /^QUANTD_INITIAL_CREDITS holds ".*"; write registered=credits/)
})

test('acts of two persons are named, with the credits of grants and reversals', () => {
  assert.deepEqual(readConfig({}).twoPersons, {})
  const { twoPersons } = readConfig({ QUANTD_TWO_PERSONS: 'grant:10000, delete,reverse,plan' })
  assert.deepEqual(twoPersons, { grant: 10_000, delete: 0, reverse: 0, plan: 0 })
  for (const text of [
    'delete:5',
    'grants',
    'grant:',
    'grant:0',
    'grant:-1',
    'grant,grant:5',
    'valueOf',
    'grant=5',
  ])
    refused(
      { QUANTD_TWO_PERSONS: text },
      /^QUANTD_TWO_PERSONS holds ".*"; write acts, .*grant or grant:credits/,
    )
})

test('grants of two persons need changes of the plan by two persons', () => {
  for (const text of ['grant', 'grant:5,delete'])
    refused({ QUANTD_TWO_PERSONS: text }, /^QUANTD_TWO_PERSONS has grant without plan: .*; add plan\.$/)
})

test('sign-on takes a provider over TLS, or on this machine, and roles by the values of a claim', () => {
  assert.equal(readConfig({}).signOn, null)
  const set = { OIDC_ISSUER: 'https://id.example.org/realm', OIDC_CLIENT_ID: 'quantd' }
  const { roles } = readConfig({ ...set, OIDC_ROLES: 'realm.roles:Help Desk=support, a=b=admin' }).signOn!
  assert.deepEqual(
    [roles!.claim, [...roles!.of]],
    [
      'realm.roles',
      [
        ['Help Desk', 'support'],
        ['a=b', 'admin'],
      ],
    ],
  )
  const named = readConfig({ ...set, OIDC_ROLES: 'https://example.org/roles:x=viewer' }).signOn!
  assert.equal(named.roles!.claim, 'https://example.org/roles')
  assert.equal(
    readConfig({ ...set, OIDC_ISSUER: 'http://[::1]:8', OIDC_ACCOUNTS: 'on' }).signOn!.accounts,
    true,
  )
  for (const text of [
    'admin',
    'groups:',
    'groups:a',
    'groups:=admin',
    'groups:a=root',
    ':a=admin',
    'a=admin',
  ])
    refused(
      { ...set, OIDC_ROLES: text },
      /^OIDC_ROLES is ".*"; write claim:value=role,value=role; the roles are/,
    )
  for (const issuer of [
    'http://id.example.org',
    'id.example.org',
    'https://id.example.org/?a',
    'https://u@a.b',
  ])
    refused(
      { ...set, OIDC_ACCOUNTS: 'on', OIDC_ISSUER: issuer },
      /^OIDC_ISSUER is ".*"; it takes the address/,
    )
  refused(set, /OIDC_ISSUER needs OIDC_ROLES, for operators, or OIDC_ACCOUNTS=on/)
  refused({ OIDC_ISSUER: 'https://a.b', OIDC_ACCOUNTS: 'on' }, /needs OIDC_CLIENT_ID/)
  refused({ OIDC_ROLES: 'groups:a=admin' }, /Set OIDC_ISSUER too/)
  refused({ ...set, OIDC_ACCOUNTS: 'yes' }, /OIDC_ACCOUNTS is "yes"; it takes one of: off, on/)
  assert.equal(readConfig({ ...set, OIDC_ACCOUNTS: 'on' }).signOn!.trustEmail, false)
  refused({ ...set, OIDC_ROLES: 'a:b=admin', OIDC_TRUST_EMAIL: 'on' }, /OIDC_TRUST_EMAIL needs OIDC_ACCOUNTS/)
  refused({ OIDC_TRUST_EMAIL: 'on' }, /Set OIDC_ISSUER too/)
})

test('programs need the sign-on of accounts and an audience, and begin with limits', () => {
  const set = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'quantd', OIDC_ACCOUNTS: 'on' }
  assert.equal(readConfig(set).signOn!.programs, null)
  const on = { ...set, OIDC_PROGRAMS: 'on', OIDC_AUDIENCE: 'https://q.example,https://q.example/mcp' }
  const none = { creditCap: null, capPeriod: 'total', hourlyLimit: null }
  assert.deepEqual(readConfig(on).signOn!.programs, {
    audiences: ['https://q.example', 'https://q.example/mcp'],
    scope: 'quantd',
    limits: none,
  })
  for (const [text, limits] of [
    ['credits=1000/month, requests=200', { creditCap: 1_000, capPeriod: 'month', hourlyLimit: 200 }],
    ['credits=5', { ...none, creditCap: 5 }],
    ['requests=7', { ...none, hourlyLimit: 7 }],
  ] as const)
    assert.deepEqual(readConfig({ ...on, OIDC_PROGRAM_LIMITS: text }).signOn!.programs!.limits, limits)
  for (const text of [
    '1000',
    'credits=0',
    'credits=5/week',
    'requests=5/day',
    ',requests=5',
    'credits=5requests=5',
  ])
    refused({ ...on, OIDC_PROGRAM_LIMITS: text }, /^OIDC_PROGRAM_LIMITS is ".*"; write credits=NUMBER/)
  refused({ ...on, OIDC_SCOPE: 'a b' }, /OIDC_SCOPE is "a b"; it takes one scope/)
  refused({ ...on, OIDC_AUDIENCE: '' }, /OIDC_PROGRAMS=on needs OIDC_AUDIENCE/)
  refused({ ...on, OIDC_ACCOUNTS: 'off', OIDC_ROLES: 'a:b=admin' }, /OIDC_PROGRAMS=on needs OIDC_ACCOUNTS=on/)
  refused({ ...set, OIDC_SCOPE: 'quantd' }, /need OIDC_PROGRAMS=on/)
  refused({ OIDC_PROGRAMS: 'on', OIDC_AUDIENCE: 'a' }, /Set OIDC_ISSUER too/)
})

test('the other settings of accounts, pages and log take their words only', () => {
  const config = readConfig({})
  assert.deepEqual([config.registration, config.guests, config.logRequests], [true, true, 'failures'])
  refused({ QUANTD_REGISTRATION: 'closed' }, /QUANTD_REGISTRATION is "closed"; it takes one of: on, off/)
  refused({ QUANTD_GUESTS: 'true' }, /QUANTD_GUESTS/)
  refused({ LOG_REQUESTS: 'some' }, /one of: failures, all, off/)
  assert.deepEqual(config.corsOrigins, [])
  for (const origin of [
    '*',
    'app.example.org',
    'https://app.example.org/',
    'null',
    'file://x',
    'https://A.org',
  ])
    refused({ QUANTD_CORS_ORIGINS: origin }, /^QUANTD_CORS_ORIGINS holds ".*", which is not the origin/)
})
