/** The long tests of MCP (`npm run test:mcp`): a service killed amid tool calls, the inspector, the conformance tests. */
import { startTestService } from '../support/service.ts'
import { conformance } from './mcp/conformance.ts'
import { inspector } from './mcp/inspector.ts'
import { killedAmidCalls } from './mcp/killed-amid-calls.ts'

let passed = 0
let failed = 0

function report(name: string, problems: readonly string[]): void {
  console.log(`${problems.length === 0 ? 'passed' : 'FAILED'}  ${name}`)
  for (const problem of problems) console.log(`        ${problem}`)
  if (problems.length === 0) passed += 1
  else failed += 1
}

const { facts, problems } = await killedAmidCalls({ calls: 1_000, kills: 3 })
report(`1,000 tool calls with 3 × kill -9: ${facts}`, problems)

const service = await startTestService()
try {
  for (const { name, problem } of await inspector(service)) report(`inspector: ${name}`, problem)
  for (const { name, problem } of await conformance(service)) report(`conformance: ${name}`, problem)
} finally {
  await service.close()
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
