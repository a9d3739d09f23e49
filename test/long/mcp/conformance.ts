/** The official conformance tests: every scenario for servers that needs no fixture of its own, in both revisions. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestService } from '../../support/service.ts'
import { runTool } from '../command.ts'

const CONFORMANCE = '@modelcontextprotocol/conformance/dist/index.js'

/**
 * Revision → scenario → its checks that do not apply. The scenarios that are missing call tools, prompts or resources of fixed
 * names, or need capabilities that quantd does not have.
 */
const SCENARIOS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '2025-11-25': {
    'server-initialize': [],
    ping: [],
    'tools-list': [],
    'dns-rebinding-protection': [],
  },
  '2026-07-28': {
    'tools-list': [],
    'dns-rebinding-protection': [],
    'http-header-validation': [],
    'sep-2164-resource-not-found': [],
    // Prompts and resources are not offered.
    caching: [
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ],
    'server-stateless': [
      // They call tools of fixed names.
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
    ],
  },
}

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

export async function conformance(service: TestService): Promise<{ name: string; problem: string[] }[]> {
  const proxy = await keyedProxy(service.url, await service.guest())
  try {
    const found: { name: string; problem: string[] }[] = []
    for (const [revision, scenarios] of Object.entries(SCENARIOS))
      for (const [scenario, inapplicable] of Object.entries(scenarios)) {
        const { err, out } = await runTool('test/long/tools', CONFORMANCE, [
          ...['server', '--url', proxy.url, '--scenario', scenario],
          ...['--spec-version', revision, '--verbose'],
        ])
        const { passed, problem } = judged(out, err, inapplicable)
        found.push({ name: `${revision} ${scenario}, ${passed} checks`, problem })
      }
    return found
  } finally {
    proxy.close()
  }
}

/** The failed checks. A check that is listed as not applying must fail, so that the list stays true. */
function judged(
  out: string,
  err: string,
  inapplicable: readonly string[],
): { passed: number; problem: string[] } {
  const text = /^\[\n[\s\S]*?^\]$/m.exec(out)?.[0]
  if (text === undefined) return { passed: 0, problem: [`no checks: ${out}${err}`.slice(0, 2_000)] }
  const checks: readonly Check[] = JSON.parse(text)
  const ids = (status: Check['status']) => checks.filter((one) => one.status === status).map(({ id }) => id)
  const failed = ids('FAILURE')
  const passed = ids('SUCCESS').length
  return {
    passed,
    problem: [
      ...(passed === 0 ? ['no check passed'] : []),
      ...checks
        .filter(({ id, status }) => status === 'FAILURE' && !inapplicable.includes(id))
        .map(({ errorMessage, id }) => `${id}: ${errorMessage}`),
      ...inapplicable.filter((id) => !failed.includes(id)).map((id) => `${id} applies`),
    ],
  }
}

/** The conformance tests send no headers of their own: this adds the key, and hands everything else on. */
async function keyedProxy(target: string, key: string): Promise<{ url: string; close(): void }> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, reply) => {
    const { headers, method, url } = incoming
    const forwarded = request({
      hostname,
      port,
      method,
      path: url,
      headers: { ...headers, 'x-api-key': key },
    })
    forwarded.on('response', (response) => {
      reply.writeHead(response.statusCode!, response.headers)
      response.pipe(reply)
    })
    forwarded.on('error', () => reply.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
