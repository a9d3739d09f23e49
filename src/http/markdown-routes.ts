/** `/llms.txt`, and guide, reference and the project's documents as plain Markdown. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import type { Sources } from '../derive/described.ts'
import { llmsTxt, type MarkdownPage, markdownPages } from '../derive/markdown.ts'
import { type Reply, unbilled } from '../pipeline/reply.ts'
import { PAGE_SECURITY } from './security-headers.ts'
import type { Route } from './server.ts'

const DOCUMENTS = new URL('../../docs/', import.meta.url)

export function markdownRoutes(sources: Sources): Route[] {
  const pages = markdownPages(sources)
  const documents = projectDocuments()
  return [
    textRoute('/llms.txt', 'text/plain', llmsTxt(sources, pages, documents)),
    ...[...pages, ...documents].map(({ path, text }) => textRoute(path, 'text/markdown', text)),
  ]
}

/** The documents in docs/, which an installed package may lack. Each begins with its title and a paragraph. */
function projectDocuments(): MarkdownPage[] {
  if (!existsSync(DOCUMENTS)) return []
  return globSync('*.md', { cwd: DOCUMENTS.pathname })
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, DOCUMENTS), 'utf8')
      const [, title = name, paragraph = ''] = /^# (.*)\n+([\s\S]*?)(?=\n\n|$)/.exec(text) ?? []
      const summary = /^.*?\.(?= |$)/.exec(paragraph.replace(/\s+/g, ' '))?.[0] ?? `${title}.`
      return { path: `/docs/${name}`, title, summary, text }
    })
}

function textRoute(path: string, type: string, text: string): Route {
  const body = Buffer.from(text)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  return {
    method: 'GET',
    path,
    security: PAGE_SECURITY,
    answer({ request, requestId }): Reply {
      const isKnown = request.headers['if-none-match'] === etag
      return {
        status: isKnown ? 304 : 200,
        headers: [
          ...['cache-control', 'no-cache', 'content-type', `${type}; charset=utf-8`],
          ...['etag', etag, 'x-request-id', requestId],
        ],
        body: isKnown ? '' : body,
        ...unbilled(requestId),
      }
    },
  }
}
