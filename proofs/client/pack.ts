/** Packs the client as it would be published, and installs the tarball in an empty project. */
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../command.ts'

export async function packedClient(): Promise<{ folder: string; tarball: string }> {
  const client = new URL('../../clients/typescript', import.meta.url).pathname
  const folder = mkdtempSync(join(tmpdir(), 'quantd-client-'))
  const packed = await run('npm', ['pack', '--pack-destination', folder], client)
  const name = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  if (packed.code !== 0 || name === undefined) throw new Error(`npm pack failed: ${packed.out}${packed.err}`)
  const tarball = join(folder, name)
  const target = join(folder, 'node_modules/quantd-client')
  mkdirSync(target, { recursive: true })
  const unpacked = await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], folder)
  if (unpacked.code !== 0) throw new Error(`tar failed: ${unpacked.err}`)
  return { folder, tarball }
}
