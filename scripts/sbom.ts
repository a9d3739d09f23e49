/**
 * Writes the bill of materials of the package in build/quantd, in CycloneDX (build/quantd.cdx.json), and the licences of the
 * packages in it (build/licences.md). Fails if an Apache-2.0 service may not be shipped with one of the licences.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Permissive licences, which ask only that their text is kept; each package contains its own. */
const ALLOWED = ['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0']

const build = resolve(import.meta.dirname, '../build')
const folder = join(build, 'quantd')

const sbom = execFileSync(
  'npm',
  ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--package-lock-only'],
  { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 * 1_024 * 1_024 },
)
writeFileSync(join(build, 'quantd.cdx.json'), sbom)

const { packages } = JSON.parse(readFileSync(join(folder, 'npm-shrinkwrap.json'), 'utf8')) as {
  packages: Record<string, { version: string; license?: string }>
}
const rows = Object.entries(packages)
  .filter(([path]) => path !== '')
  .map(([path, { version, license = 'none' }]) => ({ name: nameOf(path), version, license }))
const refused = rows.filter(({ license }) => !alternatives(license).some((one) => ALLOWED.includes(one)))
const table = rows.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |\n`).join('')
writeFileSync(
  join(build, 'licences.md'),
  `# Licences of the packages in quantd\n\nEach package contains the text of its licence.\n\n| Package | Version | Licence |\n|---|---|---|\n${table}`,
)
console.log(`build/quantd.cdx.json, build/licences.md (${rows.length} packages)`)
for (const { name, version, license } of refused)
  console.error(`${name} ${version} has the licence ${license}`)
process.exitCode = refused.length > 0 ? 1 : 0

/** The licences in an expression that offers a choice, such as `(MIT OR Apache-2.0)`. */
function alternatives(license: string): string[] {
  return license.replace(/^\((.*)\)$/, '$1').split(' OR ')
}

/** The part of the path after the last node_modules/. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
