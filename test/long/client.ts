/** The package of the TypeScript client (`npm run test:client`): its tarball checked, its README run in every runtime. */
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { readmeExample } from '../support/readme-example.ts'
import { startTestService } from '../support/service.ts'
import { compiledExamples, heyApiProgram, openapiFetchProgram } from './client/generated.ts'
import { checkLibrary, reports } from './client/library.ts'
import { packed } from './client/pack.ts'

const { report, end } = reports()
const client = await packed('clients/typescript')
const port = await freePort()
const service = await startTestService({ QUANTD_CORS_ORIGINS: `http://127.0.0.1:${port}` })
try {
  const { size } = statSync(client.tarball)
  const page = readFileSync(join(import.meta.dirname, '../../docs/clients.md'), 'utf8')
  const [, kilobytes] = /^\| Packed size \| (\d+) kB \|/m.exec(page)!
  report(
    'docs/clients.md has the packed size, within a tenth',
    Math.abs((1_000 * Number(kilobytes)) / size - 1) < 0.1,
    `${size} bytes`,
  )
  for (const flags of [[], ['--default-non-nullable=false']]) {
    const { code, err, out } = await compiledExamples(flags)
    report(`generated types accept the examples ${flags.join(' ')}`, code === 0, out + err)
  }
  for (const [name, program] of [
    ['openapi-typescript and openapi-fetch', openapiFetchProgram],
    ['@hey-api/openapi-ts', heyApiProgram],
  ] as const) {
    const { code, err, out } = await program(service.url)
    const isRight = code === 0 && out === '8.021352235143173 1 invalid_input 1\n'
    report(`the client of ${name} compiles in strict mode and runs`, isRight, out + err)
  }
  await checkLibrary(report, client, readmeExample(client.readme, service.url), port)
} finally {
  await service.close()
  rmSync(client.folder, { recursive: true, force: true })
}
end()
