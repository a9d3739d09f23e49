/** Limits: the relations that code relies on are checked when they are loaded. */
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const source = (name: string) => fileURLToPath(new URL(`../../../src/base/${name}.ts`, import.meta.url))
const folder = temporaryFolder('limits')
copyFileSync(source('time'), join(folder, 'time.ts'))
mkdirSync(join(folder, 'limits'))

for (const [name, text, changed, relation] of [
  [
    'limits/callers',
    'KEEP_ALIVE_MS = 72 ',
    'KEEP_ALIVE_MS = 30 ',
    /a proxy gets its replies on open connections/,
  ],
  [
    'limits/callers',
    'BODY_BLOCK_BYTES = 16 ',
    'BODY_BLOCK_BYTES = 8 ',
    /columns and their results fit into a block/,
  ],
  [
    'limits/operation',
    'MAIL_LEASE_MS = MINUTE_MS',
    'MAIL_LEASE_MS = SECOND_MS',
    /a mail is sent by one node at a time/,
  ],
] as const)
  test(`a start with ${changed.trim()} is refused`, async () => {
    const limits = readFileSync(source(name), 'utf8')
    assert(limits.includes(text))
    const file = join(folder, `${name}-${changed.split(' ')[0].toLowerCase()}.ts`)
    writeFileSync(file, limits.replace(text, changed))
    await assert.rejects(import(pathToFileURL(file).href), relation)
  })
