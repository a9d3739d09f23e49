/** The official conformance tests: every scenario for servers that needs no fixture of its own. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestService } from '../../test/service.ts'
import { runTool } from '../command.ts'

const CONFORMANCE = '@modelcontextprotocol/conformance/dist/index.js'

/** The other scenarios call tools, prompts or resources with fixed names, or need capabilities that quantd does not have. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']

export async function conformance(service: TestService): Promise<{ name: string; problem: string[] }[]> {
  const proxy = await keyedProxy(service.url, await service.guest())
  try {
    const found: { name: string; problem: string[] }[] = []
    for (const name of SCENARIOS) {
      const { code, err, out } = await runTool('proofs/tools', CONFORMANCE, [
        'server',
        '--url',
        proxy.url,
        '--scenario',
        name,
      ])
      found.push({ name, problem: code === 0 ? [] : [`exit ${code}: ${out}${err}`.slice(0, 2_000)] })
    }
    return found
  } finally {
    proxy.close()
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
