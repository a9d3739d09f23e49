/** The service releases the memory that only its start needed. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { nodeFlags } from '../../../scripts/run-node.js'

const heap = new URL('../../../src/app/main/supervisor.ts', import.meta.url).href

/** Prints the size of the heap in bytes before and after shrinkHeap, after a large allocation was released. */
const FORGETFUL = `
  import { shrinkHeap } from '${heap}'
  let rows = []
  for (let i = 0; i < 1_500_000; i++) rows.push({ i })
  rows = null
  const before = process.memoryUsage().heapTotal
  shrinkHeap()
  console.log(JSON.stringify([before, process.memoryUsage().heapTotal]))`

const heapSizes = (flags: readonly string[]): number[] => {
  const argv = [...flags, '--input-type=module-typescript', '--eval', FORGETFUL]
  return JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' }))
}

test('with the options of the launcher the heap shrinks to the memory in use', () => {
  const [before, after] = heapSizes(nodeFlags)
  assert(after! < before! / 2, `${before} bytes became ${after}`)
})

test('without the options of the launcher the service starts all the same', () => {
  assert.equal(heapSizes([]).length, 2)
})
