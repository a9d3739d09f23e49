/**
 * Builds the npm package of a library, which has no dependencies, and packs it: the TypeScript client (`npm run package:client`) or the
 * numerics (`npm run package:numerics`). The argument is the folder with its package.json, README.md and tsconfig.json.
 *
 * The version is that of the service. Until a release names the public repository, the package is private and can be installed
 * only from its tarball.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compile, json, pack } from './packing.ts'
import { installable, publishing } from './publishing.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('name the folder of the library')

const root = resolve(import.meta.dirname, '..')
const { repository, version } = json('package.json')
const { name, private: _, ...manifest } = json(`${folder}/package.json`)
const target = join(root, 'build', name)

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
compile(`${folder}/tsconfig.json`)
const readme = readFileSync(join(root, folder, 'README.md'), 'utf8')
writeFileSync(join(target, 'README.md'), installable(readme, version, repository !== undefined))
cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
writeFileSync(
  join(target, 'package.json'),
  `${JSON.stringify({ name, version, ...manifest, ...publishing(repository, folder) }, null, 2)}\n`,
)
pack(target)
