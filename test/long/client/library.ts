/** The checks of an installed library: its tarball, and the example of its README in strict mode and in every runtime. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Example } from '../../support/readme-example.ts'
import { run, runTool } from '../command.ts'
import type { Packed } from './pack.ts'
import { runtimes, versionOf } from './runtimes.ts'

const COMPILER = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')

export interface Reports {
  report(name: string, isRight: boolean, output: string): void
  /** Prints the counts, and sets the exit code. */
  end(): void
}

export function reports(): Reports {
  let passed = 0
  let failed = 0
  return {
    report: (name, isRight, output) => {
      console.log(`${isRight ? 'passed' : 'FAILED'}  ${name}${isRight ? '' : `\n${output}`}`)
      if (isRight) passed += 1
      else failed += 1
    },
    end: () => {
      console.log(`${passed} passed, ${failed} failed`)
      process.exitCode = failed === 0 ? 0 : 1
    },
  }
}

/** @param port a free one, for the pages of Chromium */
export async function checkLibrary(
  report: Reports['report'],
  { folder, library, tarball }: Packed,
  { code, printed, source }: Example,
  port: number,
): Promise<void> {
  const publint = await runTool('test/long/deploy/tools', 'publint/src/cli.js', ['run', tarball, '--strict'])
  report('publint', publint.code === 0, publint.out + publint.err)
  const attw = await runTool('test/long/deploy/tools', '@arethetypeswrong/cli/dist/index.js', [
    tarball,
    '--profile',
    'esm-only',
  ])
  report('attw', attw.code === 0, attw.out + attw.err)
  writeFileSync(join(folder, 'example.ts'), source)
  const compiled = await run(
    process.execPath,
    [
      ...[COMPILER, '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
      ...['--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext', 'example.ts'],
    ],
    folder,
  )
  report('README compiled in strict mode', compiled.code === 0, compiled.out + compiled.err)
  for (const runtime of runtimes) {
    const output = await runtime.printed({ library, folder, port, code }).catch(String)
    report(`README in ${runtime.name} (${await versionOf(runtime)})`, output === printed, output)
  }
}
