/** The pages, styles and scripts for browsers, by path; each is prepared when it is first requested, then kept in memory. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Sources } from '../derive/described.ts'
import { forms } from '../derive/forms.ts'
import { openapi } from '../derive/openapi.ts'
import { documents } from './documents.ts'
import { browserScript, packageAssets, preloads } from './scripts.ts'

export interface Asset {
  /** Content-Type. */
  readonly type: string
  readonly content: () => Content
}

export interface Content {
  readonly body: Buffer
  readonly gzip: Buffer
  /** A strong ETag of the plain body, including its quotes. */
  readonly etag: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/** Path below which a folder is served → the folder. The console draws with the mathematics of the service. */
const folders: Readonly<Record<string, URL>> = {
  '/assets/console/web/': new URL('./web/', import.meta.url),
  '/assets/numerics/': new URL('../numerics/', import.meta.url),
  '/assets/derive/code/': new URL('../derive/code/', import.meta.url),
  '/assets/reply-headers/': new URL('../reply-headers/', import.meta.url),
}

const FORMS = '/assets/console/web/forms.js'
const SIGN_UP = '/assets/console/web/sign-up.js'
const MADE = new Set([FORMS, SIGN_UP])

/** Whether accounts and guest keys may be created, the credits that they start with, and what computations cost. */
export interface SignUp {
  readonly registration: boolean
  readonly guests: boolean
  readonly initialCredits: { readonly registered: number; readonly guest: number }
  /** Path → credits, of the operations that do not cost 1. */
  readonly costs: Readonly<Record<string, number>>
  /** null: codes are not mailed. Pages get only whether there is one. */
  readonly smtpUrl: string | null
}

/** `/`, `/openapi.json`, reference and documents, and below `/assets/` the folders of src/ that browsers use, at the same places. */
export function consoleAssets(sources: Sources, signUp: SignUp): Map<string, Asset> {
  return new Map([
    ...Object.keys(folders).flatMap(filesBelow),
    ...packageAssets.map(({ path, text }): [string, Asset] => [path, asset(extname(path), text)]),
    made('/', '.html', () => withPreloads(fileAt('/assets/console/web/index.html')!)),
    made(FORMS, '.js', () => `export default ${JSON.stringify(forms(sources))}\n`),
    made(SIGN_UP, '.js', () => signUpScript(signUp)),
    made('/openapi.json', '.json', () => `${JSON.stringify(openapi(sources), null, 2)}\n`),
    ...documents(sources).map(({ content, extension, path }) => made(path, extension, content)),
  ])
}

const signUpScript = ({ costs, guests, initialCredits, registration, smtpUrl }: SignUp): string =>
  `export default ${JSON.stringify({ costs, guests, initialCredits, registration, sendsMail: smtpUrl !== null })}\n`

const made = (path: string, extension: string, text: () => string | Buffer): [string, Asset] => [
  path,
  asset(extension, text),
]

const filesBelow = (prefix: string): [string, Asset][] =>
  globSync('**/*.{js,ts,css,svg}', { cwd: fileURLToPath(folders[prefix]) }).map((name) =>
    made(prefix + name, extname(name), () => browserScript(prefix + name, fileAt(prefix + name)!)),
  )

/** null for a path outside these folders, and for files that are made. */
function fileAt(path: string): string | null {
  const prefix = Object.keys(folders).find((one) => path.startsWith(one))
  if (prefix === undefined || MADE.has(path)) return null
  return readFileSync(new URL(path.slice(prefix.length), folders[prefix]), 'utf8')
}

/** Names every module that the page needs, so that the browser requests them all at once. */
function withPreloads(page: string): string {
  const links = preloads('/assets/console/web/app.js', fileAt).map(
    (path) => `<link rel="modulepreload" href="${path}">\n`,
  )
  return page.replace('</head>', `${links.join('')}</head>`)
}

function asset(extension: string, text: () => string | Buffer): Asset {
  let content: Content | undefined
  return {
    type: types[extension],
    content: () => {
      content ??= contentOf(Buffer.from(text()))
      return content
    },
  }
}

function contentOf(body: Buffer): Content {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27)
  return { body, gzip: gzipSync(body, { level: 9 }), etag: `"${digest}"` }
}
