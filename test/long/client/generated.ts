/** Clients that a generator makes from openapi.json accept the examples of the reference, and columns with missing items. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openapi } from '../../../src/derive/openapi.ts'
import { sources } from '../../../src/derive/sources.ts'
import { type Ran, run, toolPath } from '../command.ts'

const TOOLS = 'test/long/tools'

/** The compiler's findings for every example against the generated types. @param flags of the generator */
export async function compiledExamples(flags: readonly string[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-generated-'))
  try {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openapi(sources)))
    const generator = toolPath(TOOLS, 'openapi-typescript/bin/cli.js')
    const made = await run(process.execPath, [generator, 'openapi.json', '-o', 'api.ts', ...flags], folder)
    if (made.code !== 0) return made
    writeFileSync(join(folder, 'examples.ts'), examples())
    const compiler = toolPath(TOOLS, 'typescript/bin/tsc')
    return await run(
      process.execPath,
      [compiler, '--strict', '--noEmit', '--module', 'esnext', 'examples.ts'],
      folder,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const examples = (): string =>
  [
    "import type { paths } from './api'",
    "type Body<Path extends keyof paths> = paths[Path] extends { post: { requestBody: { content: { 'application/json': infer B } } } } ? B : never",
    ...sources.operations.map(
      ({ example, path }, index) =>
        `export const body${index}: Body<'${path}'> = ${JSON.stringify(example.input)}`,
    ),
    "export const columns: Body<'/quantlib/economics/utility/log/columns'> = { columns: { wealth: [1, null] } }",
  ].join('\n')
