/**
 * The long version of the tests of exact credits and of team keys: `npm run test:credits -- [ROUNDS]`, 1,000 parallel calls per
 * round.
 */
import { wholeNumber } from '../../src/whole-number.ts'
import { startPostgres } from '../support/postgres.ts'
import { exactCredits } from './credits/exact-credits.ts'
import { callsAfterTheEnd, callsWithinCap, spentAcrossMidnight } from './credits/team-keys.ts'

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
    await teamKeys(database, nodes)
  }
} finally {
  await server.stop()
}

async function teamKeys(database: string, nodes: number): Promise<void> {
  const succeeded = await callsWithinCap({ nodes, cap: 100, calls: 1_000, rotations: 20 })
  const days = await spentAcrossMidnight({ nodes, cap: 100 })
  const { accepted, tries } = await callsAfterTheEnd({ nodes, keys: 50, callsPerKey: 200 })
  console.log(
    `${database}, nodes: ${nodes}: cap 100, 1000 parallel calls, 20 rotations: ${succeeded} successes; daily cap 100 across midnight: ${days.join(' and ')}; ${tries} calls after the end of a key: ${accepted} accepted`,
  )
  if (succeeded !== 100 || days.join() !== '100,100' || accepted > 0) process.exitCode = 1
}
