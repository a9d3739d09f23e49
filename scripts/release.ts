/**
 * Sets the version of package.json, from which every other place gets it, and closes the section of CHANGELOG.md:
 * `npm run release -- VERSION`. It neither commits nor publishes; it prints the commands that do.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { withRelease } from './changelog.ts'

const root = resolve(import.meta.dirname, '..')
const [version] = process.argv.slice(2)

try {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version ?? ''))
    throw new Error('name the version: npm run release -- 1.2.3')
  const changelog = withRelease(read('CHANGELOG.md'), version!, new Date().toISOString().slice(0, 10))
  const chart = read('deploy/chart/Chart.yaml').replace(/^(version|appVersion): .*$/gm, `$1: ${version}`)
  execFileSync('npm', ['version', version!, '--no-git-tag-version', '--allow-same-version'], { cwd: root })
  write('CHANGELOG.md', changelog)
  write('deploy/chart/Chart.yaml', chart)
  // The OpenAPI document and the client contain the version.
  execFileSync(process.execPath, ['scripts/generate.ts'], { cwd: root, stdio: 'inherit' })
  console.log(`The checkout is at ${version}. Look at it (git diff), and then:

  npm test
  npm run package -- --repository git+https://HOST/OWNER/quantd.git && npm run sbom
  npm run package:client -- --repository git+https://HOST/OWNER/quantd.git
  git commit -am 'house: release ${version}' && git tag v${version}
  npm publish build/quantd-${version}.tgz && npm publish build/quantd-client-${version}.tgz      # in a CI job that can sign
  docker build -f deploy/Dockerfile -t quantd:${version} .
  helm package deploy/chart`)
} catch (error) {
  console.error(`quantd: ${(error as Error).message}`)
  process.exitCode = 1
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text)
}
