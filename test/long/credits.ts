/** The long version of the exact-credits test: `npm run test:credits -- [ROUNDS]`, 1,000 parallel calls per round. */
import { wholeNumber } from '../../src/whole-number.ts'
import { startPostgres } from '../support/postgres.ts'
import { exactCredits } from './credits/exact-credits.ts'

const rounds = wholeNumber(process.argv[2] ?? '100', 1, 1_000_000) ?? usage()

function usage(): never {
  console.error('Usage: npm run test:credits -- [ROUNDS]; ROUNDS is a whole number from 1.')
  process.exit(2)
}

const server = await startPostgres()
process.env.QUANTD_TEST_POSTGRES_URL = server.url
try {
  for (const [database, nodes] of [
    ['sqlite', 1],
    ['postgres', 1],
    ['postgres', 3],
    ['postgres', 5],
  ] as const) {
    process.env.QUANTD_TEST_DATABASE = database
    const tallies = await exactCredits({ nodes, rounds })
    const exact = tallies.filter(({ refused, succeeded }) => succeeded === 1 && refused >= 999).length
    console.log(
      `${database}, ${nodes} node${nodes === 1 ? '' : 's'}: exactly one success in ${exact} of ${rounds} rounds of 1000 parallel calls`,
    )
    if (exact < rounds) process.exitCode = 1
  }
} finally {
  await server.stop()
}
