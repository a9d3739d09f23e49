/** The pages, styles and scripts for browsers, by path; each is prepared when it is first requested, then kept in memory. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip as gzipCompress } from 'node:zlib'
import type { Sources } from '../derive/described.ts'
import { actForms, forms } from '../derive/forms.ts'
import { openapi } from '../derive/openapi.ts'
import type { DeclaredAct } from '../derive/operator-openapi.ts'
import { bundle } from './bundle.ts'
import { documents } from './documents.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/** The bundles as the package contains it; a checkout makes it when it is first requested. */
const PACKED = fileURLToPath(new URL('./built/', import.meta.url))

/** Whether accounts and guest keys may be created, the credits that they start with, and what computations cost. */
export interface SignUp {
  readonly registration: boolean
  readonly guests: boolean
  readonly initialCredits: { readonly registered: number; readonly guest: number }
  /** Path → credits, of the operations that do not cost 1. */
  readonly costs: Readonly<Record<string, number>>
  /** null: codes are not mailed. Pages get only whether there is one. */
  readonly smtpUrl: string | null
  /** Where owners of accounts sign on, if they may; null: nowhere. */
  readonly signOn: { readonly issuer: string; readonly accounts: boolean } | null
}

/**
 * `/`, `/openapi.json`, reference and documents, and below `/assets/` what their pages use; the files are the same for every
 * offer.
 */
export function consoleAssets() {
  const files = filesOf('console')
  return (sources: Sources, signUp: SignUp) =>
    new Map([
      ...files,
      made('/assets/forms.js', '.js', () => `export default ${JSON.stringify(forms(sources))}\n`),
      made('/assets/sign-up.js', '.js', () => signUpScript(sources.version, signUp)),
      made('/openapi.json', '.json', () => `${JSON.stringify(openapi(sources), null, 2)}\n`),
      ...documents(sources).map(({ content, extension, path }) => made(path, extension, content)),
    ])
}

/** The page of operators, which only their listener serves. @param provider where people sign on; null: tokens only */
export const operatorAssets = (acts: readonly DeclaredAct[], provider: string | null) =>
  new Map([
    ...filesOf('operators'),
    made(
      '/assets/acts.js',
      '.js',
      () =>
        `export const provider = ${JSON.stringify(provider)}\nexport default ${JSON.stringify(actForms(acts))}\n`,
    ),
  ])

const signUpScript = (version: string, { signOn, smtpUrl, ...open }: SignUp): string => {
  const { costs, guests, initialCredits, registration } = open
  const provider = signOn?.accounts ? new URL(signOn.issuer).host : null
  const facts = {
    version,
    costs,
    guests,
    initialCredits,
    registration,
    sendsMail: smtpUrl !== null,
    provider,
  }
  return `export default ${JSON.stringify(facts)}\n`
}

type Text = () => string | Buffer | Promise<string>

function filesOf(site: Parameters<typeof bundle>[0]) {
  const files = existsSync(PACKED) ? packaged(join(PACKED, site)) : bundle(site)
  return [...files].map(([name, text]) => made(name === 'index.html' ? '/' : `/${name}`, extname(name), text))
}

const packaged = (folder: string): Map<string, Text> =>
  new Map(
    globSync('**/*.*', { cwd: folder }).map(
      (name) => [name, () => readFileSync(join(folder, name))] as const,
    ),
  )

/** By its path; `type`: Content-Type. */
const made = (path: string, extension: string, text: Text) =>
  [path, { type: types[extension], content: once(() => contentOf(text)) }] as const

const [brotli, zip] = [promisify(brotliCompress), promisify(gzipCompress)]

/**
 * With a strong ETag, and encoded for browsers: they accept Brotli over TLS and from their own computer, a sixth less than
 * gzip.
 */
async function contentOf(text: Text) {
  const body = Buffer.from(await text())
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27)
  const encoded = { br: once(() => brotli(body)), gzip: once(() => zip(body, { level: 9 })) }
  return { body, encoded, etag: `"${digest}"` }
}

/** Makes a value when it is first asked for, and keeps it. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => {
    value ??= make().catch((error) => {
      value = undefined
      throw error
    })
    return value
  }
}
