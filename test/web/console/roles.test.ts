/** The role of each column of a table, as its heading shows it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TableSpec } from '../../../src/web/console/data/mapping.ts'
import { NAMES, roleOf, rolesFor, UNUSED, USED, withRole } from '../../../src/web/console/data/roles.ts'
import type { TableEntry } from '../../../src/web/console/data/shapes.ts'
import { textEntry } from '../../../src/web/console/table-entry.ts'

const OPTIONS: TableSpec = {
  kind: 'rows',
  fields: ['spot', 'strike', 'option_type'],
  choices: { option_type: ['call', 'put'] },
}

function read(spec: TableSpec, text: string) {
  const { table, mapping }: TableEntry = textEntry(spec, text)
  assert.ok(table !== null && mapping !== null)
  const roles = (of = mapping) => table.columns.map((_, column) => roleOf(spec, of, column))
  const choose = (column: number, role: string, from = mapping) =>
    withRole(spec, table, from, { column, role })
  return { table, mapping, roles, choose }
}

test('a column has one role, and takes it from the column that had it', () => {
  const { table, mapping, roles, choose } = read(OPTIONS, 'id,spot,strike,other\nA,100,90,5\nB,101,95,6\n')
  assert.deepEqual(roles(), [NAMES, 'spot', 'strike', UNUSED])
  assert.deepEqual(
    rolesFor(OPTIONS, table, mapping, 3).map(([role]) => role),
    [UNUSED, 'spot', 'strike', 'option_type', NAMES],
  )
  assert.deepEqual(roles(choose(3, 'strike')), [NAMES, 'spot', UNUSED, 'strike'])
  assert.deepEqual(roles(choose(1, 'strike')), [NAMES, 'strike', UNUSED, UNUSED])
  assert.deepEqual(roles(choose(1, UNUSED)), [NAMES, UNUSED, 'strike', UNUSED])
  assert.deepEqual(roles(choose(2, NAMES)), [UNUSED, 'spot', NAMES, UNUSED])
  assert.deepEqual(roles(choose(0, UNUSED)), [UNUSED, 'spot', 'strike', UNUSED])
})

test('the columns of a matrix are used or not, and only numbers can be', () => {
  const spec: TableSpec = { kind: 'matrix', field: 'X' }
  const { table, mapping, roles, choose } = read(spec, 'name,a,b\nx,1,2\ny,3,4\n')
  assert.deepEqual(roles(), [NAMES, USED, USED])
  assert.deepEqual(
    rolesFor(spec, table, mapping, 0).map(([role]) => role),
    [UNUSED, NAMES],
  )
  const without = choose(1, UNUSED)
  assert.deepEqual(roles(without), [NAMES, UNUSED, USED])
  assert.deepEqual(choose(1, USED, without).used, [1, 2])
  assert.equal(choose(1, USED, { ...without, leavesOut: true }).leavesOut, false)
})
