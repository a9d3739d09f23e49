/** The package of the TypeScript client (`npm run test:client`): its tarball checked, its README run in Node and Chromium. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../test/free-port.ts'
import { startTestService } from '../test/service.ts'
import { runInChromium } from './client/chromium.ts'
import { packedClient } from './client/pack.ts'
import { readmeExample } from './client/readme.ts'
import { run, runTool } from './command.ts'

/** Commands that run a JavaScript file, separated by commas: an older Node, Deno, Bun. */
const otherRuntimes = (process.env.QUANTD_TEST_RUNTIMES ?? '').split(',').filter((command) => command !== '')

let failed = 0

function report(name: string, isRight: boolean, output: string): void {
  console.log(`${isRight ? 'passed' : 'FAILED'}  ${name}${isRight ? '' : `\n${output}`}`)
  if (!isRight) failed += 1
}

const { folder, tarball } = await packedClient()
const port = await freePort()
const service = await startTestService({ QUANTD_CORS_ORIGINS: `http://127.0.0.1:${port}` })
try {
  const publint = await runTool('test/deploy/tools', 'publint/src/cli.js', ['run', tarball, '--strict'])
  report('publint', publint.code === 0, publint.out + publint.err)
  const attw = await runTool('test/deploy/tools', '@arethetypeswrong/cli/dist/index.js', [
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
  writeFileSync(join(folder, 'example.js'), example.code)
  for (const command of [process.execPath, ...otherRuntimes]) {
    const [file = '', ...args] = command.trim().split(/ +/)
    const ran = await run(file, [...args, 'example.js'], folder)
    report(`README in ${command}`, ran.code === 0 && ran.out === example.printed, ran.out + ran.err)
  }
  const printed = await runInChromium(folder, port, example.code)
  report('README in Chromium, from another origin', printed === example.printed, printed)
} finally {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(failed === 0 ? 'all passed' : `${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
