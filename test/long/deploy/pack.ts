/** The package `quantd`, built and packed from this checkout once for each process of the tests. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, root } from './command.ts'

export interface Packed {
  /** The tarball that npm made. */
  readonly tarball: string
  readonly version: string
}

let packed: Packed | undefined

export function pack(): Packed {
  if (packed !== undefined) return packed
  const printed = command(process.execPath, [join(root, 'scripts/package.ts')])
  const file = /^(build\/\S+\.tgz)/m.exec(printed)?.[1]
  assert.ok(file, printed)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  packed = { tarball: join(root, file), version }
  return packed
}
