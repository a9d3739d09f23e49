/** Runs nginx, HAProxy or Caddy with its file of deploy/proxies; only addresses and paths of the file are replaced. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'
import type { Certificate } from './certificate.ts'
import { attempt, command, program, root } from './command.ts'

export const PROXIES = ['nginx', 'haproxy', 'caddy'] as const
export type ProxyName = (typeof PROXIES)[number]

export interface RunningProxy {
  readonly port: number
  /** The messages of the proxy. */
  output(): string
  stop(): Promise<void>
}

interface Kind {
  readonly file: string
  /** Text of the file → its replacement; each occurs in the file. */
  replacements(port: number, nodes: readonly number[], certificate: Certificate): Record<string, string>
  /** Writes what the program needs besides, and returns its command. */
  command(folder: string, configFile: string): { check: string[]; serve: string[] }
}

const KINDS: Readonly<Record<ProxyName, Kind>> = {
  nginx: {
    file: 'nginx.conf',
    replacements: (port, nodes, { certificateFile, keyFile }) => ({
      'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
      '    server 127.0.0.1:8080 max_fails=1 fail_timeout=1s;\n': nodes
        .map((node) => `    server 127.0.0.1:${node} max_fails=1 fail_timeout=1s;\n`)
        .join(''),
      '/etc/ssl/quantd/fullchain.pem': certificateFile,
      '/etc/ssl/quantd/privkey.pem': keyFile,
    }),
    command(folder, configFile) {
      const main = join(folder, 'main.conf')
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      writeFileSync(
        main,
        `user root; daemon off; pid ${folder}/pid; error_log stderr warn; events {}
         http { access_log off; ${temporary.join(' ')} include ${configFile}; }`,
      )
      const nginx = program('nginx', 'nginx-light')
      return { check: [nginx, '-t', '-c', main], serve: [nginx, '-c', main] }
    },
  },
  haproxy: {
    file: 'haproxy.cfg',
    replacements: (port, nodes, { bothFile }) => ({
      'bind :443': `bind 127.0.0.1:${port}`,
      '/etc/haproxy/quantd.pem': bothFile,
      '    server node1 127.0.0.1:8080\n': nodes
        .map((node, index) => `    server node${index + 1} 127.0.0.1:${node}\n`)
        .join(''),
    }),
    command(_folder, configFile) {
      const haproxy = program('haproxy')
      return { check: [haproxy, '-c', '-f', configFile], serve: [haproxy, '-db', '-f', configFile] }
    },
  },
  caddy: {
    file: 'Caddyfile',
    replacements: (port, nodes, { certificateFile, keyFile }) => ({
      '\n{$QUANTD_SITE:quantd.example.org} {\n': `\nhttps://quantd.example.org:${port}, https://127.0.0.1:${port} {\n\tbind 127.0.0.1\n\ttls ${certificateFile} ${keyFile}\n`,
      '{\n\tservers {': '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tservers {',
      '{$QUANTD_NODES:127.0.0.1:8080}': nodes.map((node) => `127.0.0.1:${node}`).join(' '),
    }),
    command(_folder, configFile) {
      const caddy = program('caddy')
      const options = ['--adapter', 'caddyfile', '--config', configFile]
      return { check: [caddy, 'validate', ...options], serve: [caddy, 'run', ...options] }
    },
  },
}

/** The file of deploy/proxies that the proxy runs with. */
export const configurationOf = (name: ProxyName): string => KINDS[name].file

/** @param nodes ports of the service on this machine */
export async function startProxy(
  name: ProxyName,
  folder: string,
  nodes: readonly number[],
  certificate: Certificate,
): Promise<RunningProxy> {
  const kind = KINDS[name]
  const own = join(folder, name)
  mkdirSync(own, { recursive: true })
  const port = await freePort()
  let text = readFileSync(join(root, 'deploy/proxies', kind.file), 'utf8')
  for (const [from, to] of Object.entries(kind.replacements(port, nodes, certificate))) {
    assert.ok(text.includes(from), `${kind.file} does not contain ${from}`)
    text = text.replace(from, to)
  }
  const configFile = join(own, kind.file)
  writeFileSync(configFile, text)
  const { check, serve } = kind.command(own, configFile)
  const env = { ...process.env, HOME: own, XDG_DATA_HOME: own, XDG_CONFIG_HOME: own }
  const checked = attempt(check[0], check.slice(1), { env })
  assert.equal(checked.status, 0, checked.stdout + checked.stderr)
  // Warnings of a configuration are faults of it.
  assert.doesNotMatch(checked.stdout + checked.stderr, /\[(warn|WARNING|ALERT)\]/)

  const child = spawn(serve[0], serve.slice(1), { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk) => (output += chunk))
  const kill = (): void => killed(child)
  process.once('exit', kill)
  await until(() => {
    assert.equal(child.exitCode, null, `${name} ended:\n${output}`)
    return isListening(port)
  }, `${name} listens`)
  return {
    port,
    output: () => output,
    async stop() {
      process.off('exit', kill)
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      // nginx and HAProxy end at once on SIGTERM, with their workers.
      child.kill('SIGTERM')
      await ended
    },
  }
}

const killed = (child: ChildProcess): void => {
  child.kill('SIGTERM')
}

const isListening = (port: number): boolean =>
  command(program('ss', 'iproute2'), ['-Hltn', `sport = :${port}`]).trim() !== ''
