/** The inspector's command line against `POST /mcp` and `quantd mcp`. */
import { join } from 'node:path'
import type { TestService } from '../../support/service.ts'
import { runTool } from '../command.ts'

const INSPECTOR = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'
const CLI = join(import.meta.dirname, '../../../src/app/quantd.ts')

/** Name of a tool, its arguments as the command line takes them, and text of the result. */
const CALLS = [
  ['economics_utility_log', ['wealth=4'], '0.25'],
  [
    'pricing_bs_price',
    ['spot=100', 'strike=105', 'risk_free_rate=0.05', 'volatility=0.2', 'time_to_maturity=1'],
    '8.021352235143173',
  ],
  ['account', [], '"credits"'],
] as const

export async function inspector(service: TestService): Promise<{ name: string; problem: string[] }[]> {
  const key = await service.guest()
  const http = [`${service.url}/mcp`, '--transport', 'http', '--header', `X-API-Key: ${key}`]
  const stdio = [
    process.execPath,
    CLI,
    'mcp',
    '-e',
    `QUANTD_URL=${service.url}`,
    '-e',
    `QUANTD_API_KEY=${key}`,
  ]
  const found: { name: string; problem: string[] }[] = []
  for (const [transport, target] of [
    ['http', http],
    ['stdio', stdio],
  ] as const) {
    const check = async (name: string, args: readonly string[], expected: string): Promise<void> => {
      const { code, err, out } = await runTool('test/long/tools', INSPECTOR, ['--cli', ...target, ...args])
      const isRight = code === 0 && out.includes(expected)
      found.push({
        name: `${transport} ${name}`,
        problem: isRight ? [] : [`exit ${code}: ${out}${err}`.slice(0, 2_000)],
      })
    }
    await check('tools/list --strict', ['--method', 'tools/list', '--strict'], '"quote"')
    for (const [tool, pairs, expected] of CALLS)
      await check(
        `tools/call ${tool}`,
        ['--method', 'tools/call', '--tool-name', tool, ...pairs.flatMap((pair) => ['--tool-arg', pair])],
        expected,
      )
  }
  return found
}
