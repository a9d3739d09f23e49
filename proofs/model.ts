/** The long version of the model-based test: `npm run test:model -- [OPERATIONS] [SEED]`, on both databases. */
import { parseArgs } from 'node:util'
import { holdAgainstModel } from '../test/ledger-store/model.ts'
import { startPostgres } from '../test/postgres.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const operations = Number(positionals[0] ?? 100_000)
const seed = Number(positionals[1] ?? 1)

const server = await startPostgres()
process.env.QUANTD_TEST_POSTGRES_URL = server.url
try {
  for (const database of ['sqlite', 'postgres']) {
    process.env.QUANTD_TEST_DATABASE = database
    const started = performance.now()
    const done = await holdAgainstModel({ operations, seed, commandsPerRun: 100 })
    const seconds = ((performance.now() - started) / 1_000).toFixed(0)
    console.log(
      `${database}: ${done.operations} operations in ${done.runs} runs from seed ${seed}, ${seconds} s, none off the model`,
    )
  }
} finally {
  await server.stop()
}
