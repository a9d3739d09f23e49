/** The pages, styles and scripts for browsers, by path; each is prepared when it is first requested, then kept in memory. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip as gzipCompress } from 'node:zlib'
import type { Sources } from '../derive/documented-endpoints.ts'
import { actForms, forms } from '../derive/forms.ts'
import { openapi, openapiText } from '../derive/openapi.ts'
import type { DeclaredAct } from '../derive/operator-openapi.ts'
import { bundle } from './bundle.ts'
import { clientPackages } from './client-packages.ts'
import { documents } from './documents.ts'
import { type SignUp, signUpFacts } from './sign-up.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.whl': 'application/zip',
  '.tgz': 'application/gzip',
}

/** The folder of the bundled files in a package; a checkout has none, and bundles them when they are first requested. */
const PACKED = fileURLToPath(new URL('./built/', import.meta.url))

/** Returns a function that makes the files of the console by path; those that do not depend on its arguments are made once. */
export function consoleAssets() {
  const files = filesOf('console')
  return (sources: Sources, signUp: SignUp) =>
    new Map([
      ...files,
      made('/assets/forms.js', '.js', () => `export default ${JSON.stringify(forms(sources))}\n`),
      made(
        '/assets/sign-up.js',
        '.js',
        () => `export default ${JSON.stringify(signUpFacts(sources.version, signUp))}\n`,
      ),
      made('/openapi.json', '.json', () => openapiText(openapi(sources))),
      ...documents(sources).map(({ content, extension, path }) => made(path, extension, content)),
      ...[...clientPackages(sources.version)].map(([name, content]) =>
        made(`/clients/${name}`, extname(name), content),
      ),
    ])
}

/** The files of the operators' listener. @param provider the name of the provider; null: only tokens are accepted */
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

/** An entry of the map: the path, and the file with its Content-Type. */
const made = (path: string, extension: string, text: Text) =>
  [path, { type: types[extension], content: once(() => contentOf(text)) }] as const

const [brotli, zip] = [promisify(brotliCompress), promisify(gzipCompress)]

/** A file with a strong ETag and its encodings. Brotli, a sixth smaller than gzip, is accepted over TLS and on this machine. */
async function contentOf(text: Text) {
  const body = Buffer.from(await text())
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27)
  const encoded = { br: once(() => brotli(body)), gzip: once(() => zip(body, { level: 9 })) }
  return { body, encoded, etag: `"${digest}"` }
}

/** Makes a value when it is first requested, and keeps it. */
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
