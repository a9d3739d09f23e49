/** The package of the TypeScript client (`npm run test:client`): its tarball checked, its README run in Node and Chromium. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../test/free-port.ts'
import { startTestService } from '../test/service.ts'
import { runInChromium } from './client/chromium.ts'
import { packedClient } from './client/pack.ts'
import { readmeExample } from './client/readme.ts'
import { run, runPackage } from './command.ts'

let failed = 0

function report(name: string, isRight: boolean, output: string): void {
  console.log(`${isRight ? 'passed' : 'FAILED'}  ${name}${isRight ? '' : `\n${output}`}`)
  if (!isRight) failed += 1
}

const { folder, tarball } = await packedClient()
const port = await freePort()
const service = await startTestService({ QUANTD_CORS_ORIGINS: `http://127.0.0.1:${port}` })
try {
  const publint = await runPackage('publint/src/cli.js', ['run', tarball, '--strict'])
  report('publint', publint.code === 0, publint.out + publint.err)
  const attw = await runPackage('@arethetypeswrong/cli/dist/index.js', [tarball, '--profile', 'esm-only'])
  report('attw', attw.code === 0, attw.out + attw.err)

  const example = readmeExample(
    readFileSync(join(folder, 'node_modules/quantd-client/README.md'), 'utf8'),
    service.url,
  )
  for (const [name, node] of [
    ['Node', process.execPath],
    ['the Node of PATH before this one', process.env.QUANTD_TEST_OTHER_NODE],
  ] as const) {
    if (node === undefined) continue
    const ran = await run(node, ['--input-type=module', '--eval', example.code], folder)
    report(`README in ${name}`, ran.code === 0 && ran.out === example.printed, ran.out + ran.err)
  }
  const printed = await runInChromium(folder, port, example.code)
  report('README in Chromium, from another origin', printed === example.printed, printed)
} finally {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(failed === 0 ? 'all passed' : `${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
