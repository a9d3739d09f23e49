/** The settings, and the one-line error for each invalid one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../src/config.ts'

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
  refused({ DATABASE_URL: 'mysql://x' }, /DATABASE_URL is not a URL that begins with postgres/)
  refused({ SMTP_URL: 'mail.example.org' }, /SMTP_URL/)
  refused({ QUANTD_COSTS: 'x=1' }, /QUANTD_COSTS/)
})

test('PostgreSQL needs a master key that every node has', () => {
  refused({ DATABASE_URL: 'postgres://db/quantd' }, /needs QUANTD_MASTER_KEY/)
  refused({ QUANTD_MASTER_KEY: 'a', QUANTD_MASTER_KEY_FILE: 'b' }, /not both/)
})

test('costs are given per path', () => {
  const { costs } = readConfig({ QUANTD_COSTS: '/quantlib/a=5, /quantlib/b=0' })
  assert.deepEqual(costs, { '/quantlib/a': 5, '/quantlib/b': 0 })
})
