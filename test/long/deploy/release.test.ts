/** A release: the changelog, one version and one repository everywhere, the bill of materials and the licences. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { withRelease } from '../../../scripts/changelog.ts'
import { IMAGE_FILES } from '../../../scripts/image-digests.ts'
import { addressed, installable, publishing, repositoryOf } from '../../../scripts/publishing.ts'
import { attempt, command, root } from './command.ts'
import { pack } from './pack.ts'

const REPOSITORY = 'https://forge.example/ada/quantd'

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

  it('can be released as it is, or has just been released under the version of the package', () => {
    const changelog = read('CHANGELOG.md')
    const [, section = ''] = changelog.split(/^## /m, 2)
    if (section === 'Unreleased\n\n') assert.ok(changelog.includes(`\n## ${json('package.json').version} (`))
    else assert.match(withRelease(changelog, '999.0.0', '2030-01-31'), /\n## 999\.0\.0 \(2030-01-31\)\n/)
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
})

describe('the release', () => {
  it('is refused in one line, without a change, if it has no version or no repository', () => {
    const files = ['package.json', 'CHANGELOG.md', 'deploy/chart/Chart.yaml', ...IMAGE_FILES]
    const kept = files.map(read)
    const refusal = (...args: string[]) => {
      const { status, stderr } = attempt(process.execPath, ['scripts/release.ts', ...args])
      assert.equal(status, 1)
      return stderr
    }
    assert.equal(refusal('next'), 'quantd: name the version: npm run release -- 1.2.3\n')
    const missing = /^quantd: name the public repository: npm run release -- 1\.2\.3 --repository \S+\n$/
    if (json('package.json').repository === undefined) assert.match(refusal('999.0.0'), missing)
    for (const address of ['git+https://forge.example/ada/quantd.git', 'forge.example/ada/quantd', ''])
      assert.match(refusal('999.0.0', `--repository=${address}`), /^quantd: the repository is "[^\n]*\n$/)
    assert.deepEqual(files.map(read), kept)
  })

  it('takes the repository of earlier releases', () => {
    assert.equal(repositoryOf(undefined, REPOSITORY), REPOSITORY)
    assert.equal(
      repositoryOf('https://forge.example/eve/quantd', REPOSITORY),
      'https://forge.example/eve/quantd',
    )
  })
})

describe('the packages', () => {
  it('are private, so that npm refuses to publish them, before a release has named the repository', () => {
    assert.deepEqual(publishing(undefined), { private: true })
    pack()
    const { repository } = json('package.json')
    assert.equal(json('build/quantd/package.json').private, repository === undefined || undefined)
    if (repository !== undefined) return
    const client = attempt(process.execPath, ['scripts/package-library.ts', 'clients/typescript']).stdout
    const tarball = /^build\/\S+/m.exec(client)?.[0] ?? 'none'
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

  it('name the repository, its issues and its page, and require provenance, afterwards', () => {
    assert.deepEqual(publishing(REPOSITORY, 'clients/typescript'), {
      homepage: `${REPOSITORY}#readme`,
      bugs: { url: `${REPOSITORY}/issues` },
      repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: 'clients/typescript' },
      publishConfig: { access: 'public', provenance: true },
    })
    const python = addressed(read('clients/python/pyproject.toml'), REPOSITORY)
    assert.ok(python.includes(`urls = { Repository = "${REPOSITORY}", Issues = "${REPOSITORY}/issues" }\n`))
    assert.ok(addressed(read('deploy/chart/Chart.yaml'), REPOSITORY).includes(`\nsources: [${REPOSITORY}]\n`))
  })

  it('are installed by their name afterwards, and by the tarball before', () => {
    const text = 'npm install ./quantd-VERSION.tgz ./quantd-client-VERSION.tgz'
    assert.equal(installable(text, '1.2.3', true), 'npm install quantd quantd-client')
    assert.equal(
      installable(text, '1.2.3', false),
      'npm install ./quantd-1.2.3.tgz ./quantd-client-1.2.3.tgz',
    )
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
