/** Tables that the console saves: a spreadsheet shows what cells hold, and runs nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csv, longCsv } from '../../../src/web/console/save.ts'

test('a cell that a spreadsheet would run as a formula begins with an apostrophe', () => {
  const formulas = ['=1+1', '+cmd|x', '-2+3', '@SUM(A1)', '\tx', '＝1', '=HYPERLINK("http://evil.example")']
  for (const text of formulas) {
    const [cell] = csv([[text]]).split('\n')
    assert.ok(cell!.startsWith("'") || cell!.startsWith(`"'`), cell)
  }
  assert.equal(csv([['a;=1+1']]), "a;'=1+1\n")
})

test('numbers keep their signs, and other cells their text', () => {
  const cells = [-1.5, '-1.5', '+3', '1e-7', '-.5', 'a-b', 'x=y', '', null, true, 'a,"b"']
  assert.equal(csv([cells]), '-1.5,-1.5,+3,1e-7,-.5,a-b,x=y,,,true,"a,""b"""\n')
})

test('a long table is as safe', async () => {
  const blob = await longCsv(['=heading', 'price'], 2, (row) => csv([[`@${row}`, -row]]))
  assert.equal(await blob.text(), "'=heading,price\n'@0,0\n'@1,-1\n")
})
