/** The long version of the exact-credits test: `npm run test:credits -- [ROUNDS]`, 1,000 parallel calls a round. */
import { exactCredits } from '../test/ledger-store/exact-credits.ts'
import { startPostgres } from '../test/postgres.ts'

const rounds = Number(process.argv[2] ?? 100)

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
    const exact = tallies.filter((tally) => tally[200] === 1 && tally[402] === 999).length
    console.log(
      `${database}, ${nodes} node${nodes === 1 ? '' : 's'}: exactly one success in ${exact} of ${rounds} rounds of 1000 parallel calls`,
    )
    if (exact < rounds) process.exitCode = 1
  }
} finally {
  await server.stop()
}
