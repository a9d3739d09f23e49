/** /llms.txt, the HTML pages of the documents, and their Markdown. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { failures } from '../../src/base/failure.ts'
import { describe as described } from '../../src/derive/documented-endpoints.ts'
import { markdownPages } from '../../src/derive/markdown.ts'
import { sources } from '../../src/derive/sources.ts'
import { useService } from '../support/people.ts'

const root = join(import.meta.dirname, '../..')
const documents = globSync('**/*.md', { cwd: join(root, 'docs') })

const service = await useService()

test('llms.txt names every endpoint, code and document, and each of its links is served', async () => {
  const { headers, status, text } = await service.call('/llms.txt')
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
  assert.match(text, /^# quantd\n\n> /)
  const links = [...text.matchAll(/^- \[(.+?)\]\((\/.+?)\): \S.*[.]$/gm)].map(([, , path]) => path!)
  assert.equal(links.length, text.split('\n').filter((line) => line.startsWith('- ')).length)
  for (const { id } of described(sources)) assert.ok(links.includes(`/docs/reference/${id}.md`), id)
  for (const code of Object.keys(failures))
    assert.ok(links.includes(`/docs/reference/errors/${code}.md`), code)
  for (const name of documents) assert.ok(links.includes(`/docs/${name}`), name)
  for (const path of links) {
    const page = await service.call(path)
    assert.equal(page.status, 200, path)
    if (path.endsWith('.md')) {
      assert.equal(page.headers.get('content-type'), 'text/markdown; charset=utf-8')
      assert.match(page.text, /^# \S/, path)
    }
  }
})

test('every entry of the HTML reference has a page of Markdown that llms.txt names', async () => {
  const { text } = await service.call('/llms.txt')
  const reference = await service.call('/docs')
  const contents = /<div class="contents">[\s\S]*?<\/nav>/.exec(reference.text)![0]
  const entries = [...contents.matchAll(/<a href="\/docs\/reference\/([^"]+)"[^>]*>([^<]+)</g)]
  assert.ok(entries.length > described(sources).length + 5, `${entries.length} entries`)
  for (const [, id, title] of entries) assert.ok(text.includes(`[${title}](/docs/reference/${id}.md): `), id)
  for (const name of documents)
    assert.ok(contents.includes(`<a href="/docs/${name.replace(/\.md$/, '')}">`), name)
})

test('each Markdown page is an HTML page too, which names it and has its title', async () => {
  const paths = [
    ...markdownPages(sources).map(({ path }) => path),
    ...documents.map((name) => `/docs/${name}`),
  ]
  for (const path of paths) {
    const page = await service.call(path.replace(/\.md$/, ''))
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'], path)
    assert.ok(page.text.includes(`<link rel="alternate" type="text/markdown" href="${path}"`), path)
    assert.equal(page.text.match(/<h1[ >]/g)?.length, 1, path)
  }
})

test('the page of an endpoint names path, key, fields, example and failures', async () => {
  for (const { example, failures, id, input, method, path } of described(sources)) {
    const { text } = await service.call(`/docs/reference/${id}.md`)
    assert.ok(text.includes(`\`${method} ${path}\``), id)
    for (const field of Object.keys(input?.properties ?? {}))
      assert.ok(text.includes(`| \`${field}\` |`), `${id}.${field}`)
    for (const code of failures)
      assert.ok(text.includes(`[\`${code}\`](/docs/reference/errors/${code}.md)`), `${id} ${code}`)
    assert.ok(text.includes(JSON.stringify(example.output)), id)
  }
})

test('the page of a failure code names status, remedy, an example of the reply, and the endpoints', async () => {
  for (const [code, { remedy, status }] of Object.entries(failures)) {
    const { text } = await service.call(`/docs/reference/errors/${code}.md`)
    assert.ok(text.startsWith(`# ${status} ${code}\n`), code)
    assert.ok(text.includes(remedy), code)
    const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)![1])
    assert.deepEqual([example.success, example.error.code], [false, code])
    const senders = described(sources).filter((one) => one.failures.includes(code))
    for (const { id } of senders) assert.ok(text.includes(`(/docs/reference/${id}.md)`), `${code} ${id}`)
  }
})

test('one page holds the guide and all endpoints', async () => {
  const { text } = await service.call('/docs.md')
  for (const { path } of described(sources)) assert.ok(text.includes(path), path)
  assert.match(text, /^## Rate limits$/m)
  assert.match(text, /\| 402 \| \[`credits_exhausted`\]/)
})

test('the documents of the project are served with an ETag; a link to a file that is not served is plain text', async () => {
  const path = '/docs/how-to/connect-ai-clients.md'
  const { headers, text } = await service.call(path)
  assert.equal(text, readFileSync(join(root, path), 'utf8'))
  const production = await service.call('/docs/how-to/run-in-production.md')
  assert.match(production.text, /\[Operations\]\(\.\.\/operations\.md#alerts\)/)
  assert.match(
    production.text,
    /Other ways to install, [^.]* are in \[deploy\/README\.md\]\(\.\.\/\.\.\/deploy\/README\.md\)/,
  )
  const upgrade = await service.call('/docs/how-to/upgrade.md')
  assert.match(upgrade.text, /CHANGELOG\.md/)
  assert.doesNotMatch(upgrade.text, /\]\([^)]*CHANGELOG\.md/)
  const tag = headers.get('etag')!
  const asked = (known: string) => service.call(path, { headers: { 'if-none-match': known } })
  for (const known of [tag, `W/${tag}`, `"other" , ${tag} , "third"`, `"other",W/${tag}`, '*']) {
    const again = await asked(known)
    assert.deepEqual([again.status, again.text], [304, ''], known)
  }
  for (const known of ['"other"', tag.slice(0, -1), '', 'W/*']) assert.equal((await asked(known)).status, 200)
})

test('the configurations that documents name are served as text, and every link of a page leads to something', async () => {
  const links = new Map<string, string>()
  for (const name of [...documents.map((name) => `docs/${name}`), 'deploy/README.md']) {
    const { text } = await service.call(`/${name.replace(/\.md$/, '')}`)
    const main = /<div class="document">[\s\S]*?<\/main>/.exec(text)![0]
    for (const [, target] of main.matchAll(/(?:href|src)="([^"#]+)/g)) {
      if (/^\w+:/.test(target)) continue
      links.set(new URL(target, `${service.url}/${name}`).pathname, name)
    }
  }
  for (const [path, name] of links) assert.equal((await service.call(path)).status, 200, `${path} in ${name}`)
  const wanted = ['compose.yaml', 'move-database.sh', 'prometheus/alerts.yml', 'grafana/quantd.json']
  for (const file of [...wanted, 'systemd/quantd.service', 'proxies/Caddyfile', 'proxies/nginx.conf']) {
    assert.ok(links.has(`/deploy/${file}`), file)
    const { headers, text } = await service.call(`/deploy/${file}`)
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8', file)
    assert.equal(text, readFileSync(join(root, 'deploy', file), 'utf8'), file)
  }
})

test('a page is sent in the encoding that the client accepts, with an ETag of its own', async () => {
  const sent = async (accepted: string, tag = '') =>
    await service.call('/docs', { headers: { 'accept-encoding': accepted, 'if-none-match': tag } })
  const plain = await sent('identity')
  const tags = [plain.headers.get('etag')!]
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['br ; q=0.0 , gzip', 'gzip'],
  ] as const) {
    const { headers, text } = await sent(accepted)
    assert.deepEqual([headers.get('content-encoding'), text], [encoding, plain.text])
    const tag = headers.get('etag')!
    assert.equal((await sent(accepted, tag)).status, 304)
    assert.equal((await sent('identity', tag)).status, 200)
    tags.push(tag)
  }
  assert.equal(new Set(tags).size, 3)
})

test('the pictures of documents are served', async () => {
  for (const [path, type] of [
    ['/docs/charts/connections.svg', 'image/svg+xml'],
    ['/docs/tutorials/volatility-smile/1.png', 'image/png'],
  ] as const) {
    const { headers, status } = await service.call(path)
    assert.deepEqual([status, headers.get('content-type')], [200, type], path)
  }
})

test('the search finds the sections of documents by a word of their text', async () => {
  const { text } = await service.call('/assets/search.json')
  const entries = JSON.parse(text) as { kind: string; address: string; text: string }[]
  const found = entries.filter((one) => one.kind === 'document' && one.text.includes('pg_restore'))
  assert.deepEqual(
    found.map(({ address }) => address),
    ['/docs/how-to/back-up-and-restore#restore', '/docs/how-to/run-in-production#a-copy-every-night'],
  )
})

test('the search finds the guide about bills by the words of a finance department', async () => {
  const { text } = await service.call('/assets/search.json')
  const titles = (JSON.parse(text) as { title: string }[]).map(({ title }) => title)
  for (const word of ['bill your', 'monthly', 'invoice'])
    assert.ok(
      titles.some((title) => title.startsWith('Bill your customers') && title.toLowerCase().includes(word)),
      word,
    )
})

test('each link of a page to this service is served, and each anchor exists', async () => {
  const links = (path: string, type: string, text: string): string[] => {
    const found = type.startsWith('text/html')
      ? text.matchAll(/(?:href|src)="([^"]+)"/g)
      : text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)
    return [...found].map(([, target]) => new URL(target!.replaceAll('&amp;', '&'), service.url + path).href)
  }
  const queue = ['/', '/docs', '/llms.txt'].map((path) => service.url + path)
  const anchors = new Map<string, (id: string) => boolean>()
  const faults: string[] = []
  for (const url of queue) {
    const { hash, pathname } = new URL(url)
    if (!anchors.has(pathname)) {
      const { headers, status, text } = await service.call(pathname)
      if (status !== 200) faults.push(`${pathname} ${status}`)
      const type = headers.get('content-type') ?? ''
      const isPage = /^text\/(html|markdown|plain)/.test(type)
      anchors.set(pathname, (id) => !type.startsWith('text/html') || text.includes(`id="${id}"`))
      if (isPage)
        for (const link of links(pathname, type, text))
          if (link.startsWith(`${service.url}/`) && !queue.includes(link)) queue.push(link)
    }
    // The hash of the console is a route.
    if (hash !== '' && pathname !== '/' && !anchors.get(pathname)!(hash.slice(1))) faults.push(url)
  }
  assert.deepEqual(faults, [])
  assert.ok(anchors.size > 150, `${anchors.size} pages and files`)
})
