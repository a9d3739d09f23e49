/**
 * The long version of the model-based test: `npm run test:model -- [OPERATIONS] [SEED] [--database sqlite|postgres]`, on both
 * by default.
 */
import { parseArgs } from 'node:util'
import { wholeNumber } from '../../src/base/text.ts'
import { startPostgres } from '../support/postgres.ts'
import { holdAgainstModel } from './model/model.ts'

const DATABASES = ['sqlite', 'postgres']
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { database: { type: 'string' } },
})
const operations = wholeNumber(positionals[0] ?? '100000', 1, 1_000_000_000) ?? usage()
const seed = wholeNumber(positionals[1] ?? '1', 0, 2 ** 31 - 1) ?? usage()
const databases = values.database === undefined ? DATABASES : [values.database]
if (!databases.every((one) => DATABASES.includes(one))) usage()

function usage(): never {
  console.error(
    'Usage: npm run test:model -- [OPERATIONS] [SEED] [--database sqlite|postgres]; the first two are whole numbers.',
  )
  process.exit(2)
}

const server = await startPostgres()
process.env.QUANTD_TEST_POSTGRES_URL = server.url
try {
  for (const database of databases) {
    process.env.QUANTD_TEST_DATABASE = database
    const started = performance.now()
    const done = await holdAgainstModel({ operations, seed })
    const seconds = ((performance.now() - started) / 1_000).toFixed(0)
    console.log(
      `${database}: ${done.operations} operations in ${done.runs} runs from seed ${seed}, ${seconds} s, no deviation from the model`,
    )
  }
} finally {
  await server.stop()
}
