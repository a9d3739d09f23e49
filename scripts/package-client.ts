/**
 * Builds the npm package `quantd-client` in build/quantd-client and packs it: `npm run package:client`.
 *
 * The version is that of the service. Until a release names the public repository, the package is private and can be installed
 * only from its tarball.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compile, json, pack } from './packing.ts'
import { installable, publishing } from './publishing.ts'

const FOLDER = 'clients/typescript'

const root = resolve(import.meta.dirname, '..')
const target = join(root, 'build/quantd-client')

const { repository, version } = json('package.json')
const { name, private: _, ...manifest } = json(`${FOLDER}/package.json`)

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
compile(`${FOLDER}/tsconfig.json`)
const readme = readFileSync(join(root, FOLDER, 'README.md'), 'utf8')
writeFileSync(join(target, 'README.md'), installable(readme, version, repository !== undefined))
cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
writeFileSync(
  join(target, 'package.json'),
  `${JSON.stringify({ name, version, ...manifest, ...publishing(repository, FOLDER) }, null, 2)}\n`,
)
pack(target)
