/** Does the work that forgot-password causes tell others whether an address is known? The area under the ROC curve. */
import { setTimeout as pause } from 'node:timers/promises'
import { discrimination } from '../src/numerics/statistics/discrimination.ts'
import { query } from '../test/support/database.ts'
import { letterNumber, person, startWithoutIpLimits } from '../test/support/people.ts'

const TRIES = Number(process.argv[2] ?? 150)
/** From the request until its mail is sent. */
const WINDOW_MS = 150
const CONNECTIONS = 4

const service = await startWithoutIpLimits()
const { email, key } = await person(service)
await letterNumber(service, 1, email)
await query(
  service,
  `UPDATE accounts SET balance = 1000000000, hour_limit = 1000000000 WHERE address = '${email}'`,
)
console.log(
  `${service.databaseUrl === null ? 'SQLite' : 'PostgreSQL'}, ${TRIES} known and ${TRIES} unknown addresses`,
)
await report('processor time of the service, without other requests', 'idle', async (request) => {
  const before = process.cpuUsage()
  await Promise.all([request(), pause(WINDOW_MS)])
  const { system, user } = process.cpuUsage(before)
  return system + user
})
await report('calls that others complete meanwhile', 'busy', async (request) => {
  const end = performance.now() + WINDOW_MS
  let calls = 0
  const connection = async () => {
    for (; performance.now() < end; calls++)
      await service.call('/quantlib/economics/utility/log', { key, body: { wealth: 2 } })
  }
  await Promise.all([request(), ...Array.from({ length: CONNECTIONS }, connection)])
  return -calls
})
await service.close()

async function report(
  name: string,
  prefix: string,
  measure: (request: () => Promise<unknown>) => Promise<number>,
): Promise<void> {
  const known = Array.from({ length: TRIES }, (_, i) => `${prefix}-${i}@example.org`)
  await fill(known)
  const order = known.flatMap((address, i) => {
    const pair = [
      { address, isKnown: 1 },
      { address: address.replace('example', 'unknown'), isKnown: 0 },
    ]
    return i % 2 === 0 ? pair : pair.reverse()
  })
  const scores: number[] = []
  for (const { address } of order)
    scores.push(await measure(() => service.call('/user/forgot-password', { body: { email: address } })))
  const labels = Uint8Array.from(order, ({ isKnown }) => isKnown)
  const { auc } = discrimination(labels, Float64Array.from(scores))
  console.log(`AUC ${auc.toFixed(3)} by the ${name}`)
}

/** Copies of one account: made in the database, since registering takes long. */
async function fill(addresses: readonly string[]): Promise<void> {
  const [hash] = await query(service, `SELECT password_hash AS hash FROM accounts WHERE address = '${email}'`)
  const now = Date.now()
  for (const address of addresses)
    await query(
      service,
      `INSERT INTO accounts (uid, tier, balance, created_at, verified_at, address, email, username, full_name, password_hash)
       VALUES ('${address}', 'free', 0, ${now}, ${now}, '${address}', '${address}', 'ada', 'ada', '${hash!.hash}')`,
    )
}
