/** The package of the TypeScript client (`npm run test:client`): its tarball checked, its README run in every runtime. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { startTestService } from '../support/service.ts'
import { compiledExamples } from './client/generated.ts'
import { packedClient } from './client/pack.ts'
import { readmeExample } from './client/readme.ts'
import { runtimes, versionOf } from './client/runtimes.ts'
import { run, runTool } from './command.ts'

const COMPILER = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')

let passed = 0
let failed = 0

function report(name: string, isRight: boolean, output: string): void {
  console.log(`${isRight ? 'passed' : 'FAILED'}  ${name}${isRight ? '' : `\n${output}`}`)
  if (isRight) passed += 1
  else failed += 1
}

const { folder, tarball } = await packedClient()
const port = await freePort()
const service = await startTestService({ QUANTD_CORS_ORIGINS: `http://127.0.0.1:${port}` })
try {
  const { size } = statSync(tarball)
  const page = readFileSync(join(import.meta.dirname, '../../docs/clients.md'), 'utf8')
  const [, kilobytes] = /^\| Packed size \| (\d+) kB \|/m.exec(page)!
  report(
    'docs/clients.md has the packed size, within a tenth',
    Math.abs((1_000 * Number(kilobytes)) / size - 1) < 0.1,
    `${size} bytes`,
  )
  const publint = await runTool('test/long/deploy/tools', 'publint/src/cli.js', ['run', tarball, '--strict'])
  report('publint', publint.code === 0, publint.out + publint.err)
  const attw = await runTool('test/long/deploy/tools', '@arethetypeswrong/cli/dist/index.js', [
    tarball,
    '--profile',
    'esm-only',
  ])
  report('attw', attw.code === 0, attw.out + attw.err)

  const example = readmeExample(
    readFileSync(join(folder, 'node_modules/quantd-client/README.md'), 'utf8'),
    service.url,
  )
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'example.ts'), example.source)
  const compiled = await run(
    process.execPath,
    [
      ...[COMPILER, '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
      ...['--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext', 'example.ts'],
    ],
    folder,
  )
  report('README compiled in strict mode', compiled.code === 0, compiled.out + compiled.err)
  for (const flags of [[], ['--default-non-nullable=false']]) {
    const { code, err, out } = await compiledExamples(flags)
    report(`generated types accept the examples ${flags.join(' ')}`, code === 0, out + err)
  }
  for (const runtime of runtimes) {
    const printed = await runtime.printed({ folder, port, code: example.code }).catch(String)
    report(`README in ${runtime.name} (${await versionOf(runtime)})`, printed === example.printed, printed)
  }
} finally {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
