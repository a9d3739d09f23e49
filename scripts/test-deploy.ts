/** Runs the tests of test/long/deploy that are named, `package` for test/long/deploy/package.test.ts; `npm test` does not run them. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { report, total, verdict } from './outcome.ts'
import { runTests } from './run-tests.ts'

process.chdir(resolve(import.meta.dirname, '..'))
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    interrupted.abort()
    process.exit(1)
  })

const outcomes = []
for (const name of process.argv.slice(2)) {
  const file = `test/long/deploy/${name}.test.ts`
  if (!existsSync(file)) throw new Error(`there is no ${file}`)
  outcomes.push(report(await runTests(name, [[file]], 1, interrupted.signal, process.env)))
}
const sum = total(outcomes)
console.log(verdict(sum))
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0
