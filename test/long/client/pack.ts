/** Packs a library as it would be published, and installs the tarball in an empty project. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../command.ts'

const ROOT = join(import.meta.dirname, '../../..')

export interface Packed {
  /** The name of the package. */
  readonly library: string
  /** The project. */
  readonly folder: string
  readonly tarball: string
  readonly readme: string
}

/** @param source the folder of the library */
export async function packed(source: string): Promise<Packed> {
  const { name: library } = JSON.parse(readFileSync(join(ROOT, source, 'package.json'), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), `${library}-`))
  const made = await run(process.execPath, ['scripts/package-library.ts', source], ROOT)
  const file = /^(build\/\S+\.tgz)/m.exec(made.out)?.[1]
  if (file === undefined) throw new Error(`the package of ${source} failed: ${made.out}${made.err}`)
  const tarball = join(ROOT, file)
  const target = join(folder, 'node_modules', library)
  mkdirSync(target, { recursive: true })
  const unpacked = await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], folder)
  if (unpacked.code !== 0) throw new Error(`tar failed: ${unpacked.err}`)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return { library, folder, tarball, readme: readFileSync(join(target, 'README.md'), 'utf8') }
}
