/** Response times for known and unknown e-mail addresses, which must not differ: medians over HTTP. */
import { query } from '../test/support/database.ts'
import { PASSWORD, startWithoutIpLimits } from '../test/support/people.ts'
import type { CallOptions } from '../test/support/service.ts'
import { median } from './record.ts'

const TRIES = Number(process.argv[2] ?? 200)
/** Runs only the kinds whose name begins with this text. */
const ONLY = process.argv[3] ?? ''
const WRONG_PASSWORD = 'not the password'

const service = await startWithoutIpLimits()
/** The addresses of known accounts; each is used once per kind of request, so that no limit is reached. */
const known: string[] = []
for (let i = 0; i < TRIES; i++) known.push(`known-${i}@example.org`)
const { email } = await service.person()
await service.letterNumber(1, email)
await service.login(email)
await fill()

const kinds: readonly { name: string; path: string; body(email: string): object }[] = [
  {
    name: 'register',
    path: '/user/register',
    body: (email) => ({ username: 'ada', email, password: PASSWORD }),
  },
  { name: 'login', path: '/user/login', body: (email) => ({ email, password: WRONG_PASSWORD }) },
  { name: 'forgot-password', path: '/user/forgot-password', body: (email) => ({ email }) },
  {
    name: 'reset-password',
    path: '/user/reset-password',
    body: (email) => ({ email, otp: 'AAAAAAAAAAAA', password: PASSWORD }),
  },
  {
    name: 'resend-otp',
    path: '/user/resend-otp',
    body: (email) => ({ email: email.replace('known', 'pending') }),
  },
  {
    name: 'verify-otp',
    path: '/user/verify-otp',
    body: (email) => ({ email: email.replace('known', 'pending'), otp: '123456' }),
  },
]

console.log(
  `medians of ${TRIES} known and ${TRIES} unknown tries, ms; ${service.databaseUrl === null ? 'SQLite' : 'PostgreSQL'}`,
)
for (const { body, name, path } of kinds.filter(({ name }) => name.startsWith(ONLY))) {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (const [index, address] of known.entries()) {
    // Alternates the order, since the first of a pair may be slower.
    const order = index % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const which of order) {
      const asked = which === 'known' ? address : address.replace('example', 'elsewhere')
      times[which].push(await took(path, { body: body(asked) }))
    }
  }
  const [a, b] = [median(times.known), median(times.unknown)]
  const difference = (100 * (a - b)) / b
  console.log(
    `${name.padEnd(16)} known ${a.toFixed(2)}  unknown ${b.toFixed(2)}  difference ${difference.toFixed(2)} %`,
  )
}
await service.close()

async function took(path: string, options: CallOptions): Promise<number> {
  const startedAt = performance.now()
  await service.call(path, options)
  return performance.now() - startedAt
}

/** Copies one account and one registration to many addresses, in the database, because registering takes long. */
async function fill(): Promise<void> {
  const [hash] = await query(service, `SELECT password_hash AS hash FROM accounts WHERE address = '${email}'`)
  const now = Date.now()
  for (const address of known) {
    await query(
      service,
      `INSERT INTO accounts (uid, tier, balance, created_at, verified_at, address, email, username, full_name, password_hash)
       VALUES ('${address}', 'free', 0, ${now}, ${now}, '${address}', '${address}', 'ada', 'ada', '${hash!.hash}')`,
    )
    const pending = address.replace('known', 'pending')
    await query(
      service,
      `INSERT INTO registrations (uid, address, email, username, full_name, password_hash, code_hash, code_master_key_id,
       code_sent_at, code_expires_at, code_attempts, created_at) SELECT '${pending}', '${pending}', '${pending}', 'ada', 'ada',
       '${hash!.hash}', hash, master_key_id, ${now - 120_000}, ${now + 600_000}, 0, ${now} FROM api_keys LIMIT 1`,
    )
  }
}
