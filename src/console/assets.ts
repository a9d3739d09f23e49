/** The pages, styles and scripts for browsers: built once at the start, served from memory. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { Sources } from '../derive/described.ts'
import { forms } from '../derive/forms.ts'
import { openapi } from '../derive/openapi.ts'
import { reference } from '../derive/reference.ts'

export interface Asset {
  /** Content-Type. */
  readonly type: string
  readonly body: Buffer
  /** A strong ETag, including its quotes. */
  readonly etag: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
}

/** By path: `/`, `/docs`, `/openapi.json`, `/assets/…`. */
export function consoleAssets(sources: Sources): Map<string, Asset> {
  const folder = new URL('./web/', import.meta.url)
  const files = readdirSync(folder).map((name): [string, Asset] => [
    name === 'index.html' ? '/' : `/assets/${name}`,
    asset(extname(name), readFileSync(new URL(name, folder))),
  ])
  return new Map([
    ...files,
    ['/assets/forms.json', asset('.json', JSON.stringify(forms(sources)))],
    ['/docs', asset('.html', reference(sources))],
    ['/openapi.json', asset('.json', `${JSON.stringify(openapi(sources), null, 2)}\n`)],
  ])
}

function asset(extension: string, content: string | Buffer): Asset {
  const body = Buffer.from(content)
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27)
  return { type: types[extension] ?? 'application/octet-stream', body, etag: `"${digest}"` }
}
