/** Clients that generators make from openapi.json: they accept the examples of the reference, and run on a service. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { openapi } from '../../../src/derive/openapi.ts'
import { sources } from '../../../src/derive/sources.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type Ran, run, toolPath } from '../command.ts'

const TOOLS = 'test/long/tools'

/** The compiler's findings for every example against the generated types. @param flags of the generator */
export const compiledExamples = (flags: readonly string[]): Promise<Ran> =>
  inFolder(async (folder) => {
    const made = await openapiTypescript(folder, flags)
    if (made.code !== 0) return made
    writeFileSync(join(folder, 'program.ts'), examples())
    return compiled(folder)
  })

/** The output of a program with openapi-typescript and openapi-fetch, or the faults that the compiler finds in it. */
export const openapiFetchProgram = (url: string): Promise<Ran> =>
  inFolder(async (folder) => {
    const made = await openapiTypescript(folder, [])
    if (made.code !== 0) return made
    writeFileSync(join(folder, 'program.ts'), OPENAPI_FETCH)
    return ranProgram(folder, url)
  })

/** The same with the client of @hey-api/openapi-ts. */
export const heyApiProgram = (url: string): Promise<Ran> =>
  inFolder(async (folder) => {
    const generator = toolPath(TOOLS, '@hey-api/openapi-ts/bin/run.js')
    const options = ['-i', 'openapi.json', '-o', 'api', '-c', '@hey-api/client-fetch', '--no-log-file']
    const made = await run(process.execPath, [generator, ...options], folder)
    if (made.code !== 0) return made
    writeFileSync(join(folder, 'program.ts'), HEY_API)
    return ranProgram(folder, url)
  })

async function inFolder(work: (folder: string) => Promise<Ran>): Promise<Ran> {
  const folder = temporaryFolder('generated')
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openapi(sources)))
  return await work(folder)
}

const openapiTypescript = (folder: string, flags: readonly string[]): Promise<Ran> =>
  run(
    process.execPath,
    [toolPath(TOOLS, 'openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'api.ts', ...flags],
    folder,
  )

function compiled(folder: string): Promise<Ran> {
  const compiler = toolPath(TOOLS, 'typescript/bin/tsc')
  const modules = toolPath(TOOLS, '.')
  const options = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    paths: { 'openapi-fetch': [join(modules, 'openapi-fetch')] },
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['program.ts'] }),
  )
  return run(process.execPath, [compiler, '-p', 'tsconfig.json'], folder)
}

/** Compiles a program, and runs it with QUANTD_URL. */
async function ranProgram(folder: string, url: string): Promise<Ran> {
  const found = await compiled(folder)
  if (found.code !== 0) return found
  await build({
    absWorkingDir: folder,
    entryPoints: ['program.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'program.mjs'),
    define: { QUANTD_URL: JSON.stringify(url) },
    nodePaths: [toolPath(TOOLS, '.')],
    logLevel: 'silent',
  })
  return run(process.execPath, ['program.mjs'], folder)
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

/** Types of replies are asserted by assignments; each marked line must be an error. The output is the same for both generators. */
const OPENAPI_FETCH = `
import createClient from 'openapi-fetch'
import type { paths } from './api'

declare const QUANTD_URL: string
const guest = createClient<paths, 'application/json'>({ baseUrl: QUANTD_URL })
const created = await guest.POST('/guest/create', {
  body: { device_id: 'generated-client', device_name: 'test', platform: 'test' },
})
const key: string = created.data!.data.api_key
const api = createClient<paths, 'application/json'>({
  baseUrl: QUANTD_URL,
  headers: { authorization: 'Bearer ' + key },
})
const option = { spot: 100, strike: 105, risk_free_rate: 0.05, volatility: 0.2, time_to_maturity: 1 }
const priced = await api.POST('/quantlib/pricing/bs/price', { body: option })
const price: number = priced.data!.data.price
const scored = await api.POST('/quantlib/ml/credit/discrimination', { body: { y_true: [0, 1], y_score: [1, 2] } })
const auc: number = scored.data!.data.auc_roc
const refused = await api.POST('/quantlib/pricing/bs/price', { body: { ...option, volatility: -1 } })
const code: string = refused.error!.error.code
// @ts-expect-error A reply of numbers is no text.
const text: string = scored.data!.data.auc_roc
// @ts-expect-error A body of another operation is refused.
void (() => api.POST('/quantlib/ml/credit/discrimination', { body: option }))
console.log(price, auc, code, text)
`

const HEY_API = `
import { guestCreate, mlCreditDiscrimination, pricingBsPrice } from './api'
import { client } from './api/client.gen'

declare const QUANTD_URL: string
client.setConfig({ baseUrl: QUANTD_URL })
const created = await guestCreate({ body: { device_id: 'generated-client', device_name: 'test', platform: 'test' } })
const key: string = created.data!.data.api_key
client.setConfig({ auth: () => key })
const option = { spot: 100, strike: 105, risk_free_rate: 0.05, volatility: 0.2, time_to_maturity: 1 }
const priced = await pricingBsPrice({ body: option })
const price: number = priced.data!.data.price
const scored = await mlCreditDiscrimination({ body: { y_true: [0, 1], y_score: [1, 2] } })
const auc: number = scored.data!.data.auc_roc
const refused = await pricingBsPrice({ body: { ...option, volatility: -1 } })
const code: string = refused.error!.error.code
// @ts-expect-error A reply of numbers is no text.
const text: string = scored.data!.data.auc_roc
// @ts-expect-error A body of another operation is refused.
void (() => mlCreditDiscrimination({ body: option }))
console.log(price, auc, code, text)
`
