/** Packs the client as it would be published, and installs the tarball in an empty project. */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../command.ts'

const ROOT = join(import.meta.dirname, '../../..')

export async function packedClient(): Promise<{ folder: string; tarball: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-client-'))
  const packed = await run(process.execPath, ['scripts/package-client.ts'], ROOT)
  const file = /^(build\/\S+\.tgz)/m.exec(packed.out)?.[1]
  if (file === undefined) throw new Error(`npm run package:client failed: ${packed.out}${packed.err}`)
  const tarball = join(ROOT, file)
  const target = join(folder, 'node_modules/quantd-client')
  mkdirSync(target, { recursive: true })
  const unpacked = await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], folder)
  if (unpacked.code !== 0) throw new Error(`tar failed: ${unpacked.err}`)
  return { folder, tarball }
}
