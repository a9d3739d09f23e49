/** A release: the changelog, one version everywhere, the bill of materials and the licences. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { withRelease } from '../../../scripts/changelog.ts'
import { attempt, command, root } from './command.ts'
import { pack } from './pack.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const json = (path: string) => JSON.parse(read(path))

describe('the changelog', () => {
  const changes =
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- This.\n\n### Upgrade notes\n\n- None.\n\n## 0.1.0\n\n- First.\n'

  it('gets a section with version and date, and an empty one for the next changes', () => {
    assert.equal(
      withRelease(changes, '0.2.0', '2030-01-31'),
      changes.replace('## Unreleased\n', '## Unreleased\n\n## 0.2.0 (2030-01-31)\n'),
    )
  })

  it('must have upgrade notes, a change and a new version', () => {
    const without = changes.replace('### Upgrade notes', '### Changed')
    assert.throws(() => withRelease(without, '0.2.0', '2030-01-31'), /needs "### Upgrade notes" for 0\.2\.0/)
    const released = withRelease(changes, '0.2.0', '2030-01-31')
    assert.throws(() => withRelease(released, '0.3.0', '2030-02-01'), /names no change/)
    assert.throws(() => withRelease(changes, '0.1.0', '2030-01-31'), /already has a section 0\.1\.0/)
  })

  it('can be released as it is', () => {
    assert.match(
      withRelease(read('CHANGELOG.md'), '999.0.0', '2030-01-31'),
      /\n## 999\.0\.0 \(2030-01-31\)\n/,
    )
  })
})

describe('the version', () => {
  it('is the same wherever it is written', () => {
    const { version } = json('package.json')
    assert.equal(json('package-lock.json').version, version)
    assert.equal(json('openapi.json').info.version, version)
    const inChart = [...read('deploy/chart/Chart.yaml').matchAll(/^(?:version|appVersion): (.*)$/gm)]
    assert.deepEqual(
      inChart.map(([, found]) => found),
      [version, version],
    )
  })

  it('is refused in one line if it is none', () => {
    const { status, stderr } = attempt(process.execPath, ['scripts/release.ts', 'next'])
    assert.deepEqual([status, stderr], [1, 'quantd: name the version: npm run release -- 1.2.3\n'])
  })
})

describe('the packages', () => {
  const packClient = (...args: string[]) => attempt(process.execPath, ['scripts/package-client.ts', ...args])

  it('are private, so that npm refuses to publish them, without the address of the repository', () => {
    pack()
    assert.equal(json('build/quantd/package.json').private, true)
    const tarball = /^build\/\S+/m.exec(packClient().stdout)?.[0] ?? 'none'
    // Refused before anything is sent.
    const nowhere = [
      '--registry',
      'http://127.0.0.1:1/',
      '--//127.0.0.1:1/:_authToken=none',
      '--fetch-retries=0',
      '--loglevel=error',
    ]
    assert.match(attempt('npm', ['publish', `./${tarball}`, ...nowhere]).stderr, /EPRIVATE/)
  })

  it('name the repository and require provenance, with it', () => {
    const repository = 'git+https://forge.example/ada/quantd.git'
    assert.equal(packClient('--repository', repository).status, 0)
    const client = json('build/quantd-client/package.json')
    assert.deepEqual(client.repository, { type: 'git', url: repository, directory: 'clients/typescript' })
    assert.deepEqual([client.private, client.publishConfig.provenance], [undefined, true])
    assert.equal(client.version, json('package.json').version)
  })

  it('are not built with the address that stands for another', () => {
    for (const repository of ['git+https://HOST/OWNER/quantd.git', 'forge.example/ada/quantd', ''])
      for (const script of ['package', 'package-client']) {
        const { status, stderr } = attempt(process.execPath, [
          `scripts/${script}.ts`,
          `--repository=${repository}`,
        ])
        assert.equal(status, 1)
        assert.match(stderr, /^quantd: --repository is .*; name the public repository: .*\n$/)
      }
  })
})

describe('the bill of materials', () => {
  let installed: string[]

  before(() => {
    pack()
    assert.match(command(process.execPath, ['scripts/sbom.ts']), /build\/quantd\.cdx\.json/)
    installed = Object.keys(json('build/quantd/npm-shrinkwrap.json').packages).filter((path) => path !== '')
  })

  it('names every package that an installation may contain, with its version and licence', () => {
    const { bomFormat, components, metadata } = json('build/quantd.cdx.json')
    assert.equal(bomFormat, 'CycloneDX')
    assert.deepEqual(
      [metadata.component.name, metadata.component.version],
      ['quantd', json('package.json').version],
    )
    assert.equal(components.length, installed.length)
    for (const { name, version, licenses, purl } of components)
      assert.ok(version !== '' && licenses.length > 0 && purl.startsWith('pkg:npm/'), name)
  })

  it('is accompanied by a table of the licences', () => {
    const rows = read('build/licences.md').match(/^\| [^|]+ \| \d[^|]* \| [^|]+ \|$/gm)
    assert.equal(rows?.length, installed.length)
    assert.ok(rows?.some((row) => row.startsWith('| pino | ') && row.endsWith(' | MIT |')))
  })
})
