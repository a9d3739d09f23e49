/** The scripts of the pages, as the bundler makes them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundle } from '../../src/web/bundle.ts'

for (const site of ['console', 'operators'] as const)
  test(`every view of the scripts of ${site} is made by Preact, which is in them`, async () => {
    const scripts = [...bundle(site)].filter(([name]) => name.endsWith('.js'))
    assert.ok(scripts.length > 0)
    for (const [name, text] of scripts) assert.doesNotMatch(await text(), /\bReact\b/, name)
  })
