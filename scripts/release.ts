/**
 * Makes a release of the checkout: `npm run release -- VERSION --repository URL`. It writes the version to package.json, from
 * which every other place gets it, with the address of the public repository, which later releases need not name. It pins the
 * base images by digest, writes the entry of the MCP registry, and puts the unreleased changes in CHANGELOG.md under the version. It neither commits nor publishes, but
 * prints the commands that do. If something is missing, it changes nothing.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { withRelease } from './changelog.ts'
import { IMAGE_FILES, pinned } from './image-digests.ts'
import { registryEntry, registryName } from './mcp-registry.ts'
import { addressed, repositoryOf } from './publishing.ts'

const root = resolve(import.meta.dirname, '..')

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { repository: { type: 'string' } },
  })
  const [version = ''] = positionals
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    throw new Error('name the version: npm run release -- 1.2.3')
  const repository = repositoryOf(values.repository, JSON.parse(read('package.json')).repository)
  const changed = new Map(IMAGE_FILES.map((path) => [path, pinned(read(path))]))
  changed.set(
    'CHANGELOG.md',
    withRelease(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10)),
  )
  const chart = read('deploy/chart/Chart.yaml').replace(/^(version|appVersion): .*$/gm, `$1: ${version}`)
  changed.set('deploy/chart/Chart.yaml', addressed(chart, repository))
  changed.set('clients/python/pyproject.toml', addressed(read('clients/python/pyproject.toml'), repository))
  const registered = registryName(repository)
  if (registered !== null)
    changed.set('server.json', `${JSON.stringify(registryEntry(registered, version, repository), null, 2)}\n`)

  npm('version', version, '--no-git-tag-version', '--allow-same-version')
  npm('pkg', 'set', `repository=${repository}`)
  for (const [path, text] of changed) writeFileSync(join(root, path), text)
  // The OpenAPI document and the clients contain the version.
  execFileSync(process.execPath, ['scripts/generate.ts'], { cwd: root, stdio: 'inherit' })
  console.log(`The checkout is at ${version}. Look at it (git diff), and then:

  npm test && npm run test:image
  git commit -am 'house: release ${version}' && git tag v${version}
  git push origin HEAD v${version}      # .github/workflows/ci.yml tests the tag, signs packages, image and chart, and publishes them
${registered === null ? '' : '  mcp-publisher login github && mcp-publisher publish      # server.json, once npm has the package\n'}`)
} catch (error) {
  console.error(`quantd: ${(error as Error).message}`)
  process.exitCode = 1
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function npm(...args: string[]): void {
  execFileSync('npm', args, { cwd: root })
}
