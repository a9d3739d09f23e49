/**
 * Grafana's dashboard, compared with the types of dashboards that Grafana publishes; test:metrics runs its queries. No
 * registry within reach has Grafana, so it has not shown the dashboard here.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { root } from './command.ts'
import { typeErrors } from './type-errors.ts'

interface Panel {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly refId: string }[]
}

const COLUMNS = 24

const dashboard: { panels: readonly Panel[] } = JSON.parse(
  readFileSync(join(root, 'deploy/grafana/quantd.json'), 'utf8'),
)

const errorsOf = (value: object): string =>
  typeErrors(
    `import type { Dashboard } from '@grafana/schema'\nexport const dashboard: Dashboard = ${JSON.stringify(value)}\n`,
  )

describe('the dashboard', () => {
  it('has the fields of Grafana’s type of a dashboard, and no other', () => {
    assert.equal(errorsOf(dashboard), '')
  })

  it('is compared with a type that finds a wrong value and a misspelt field', () => {
    const [first, ...others] = dashboard.panels
    assert.match(errorsOf({ ...dashboard, schemaVersion: '39' }), /schemaVersion|number/)
    assert.match(
      errorsOf({ ...dashboard, panels: [{ ...first, gridPosition: 1 }, ...others] }),
      /gridPosition/,
    )
  })

  it('gives each panel an id and a place of its own, and each query of a panel a letter', () => {
    const ids = dashboard.panels.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    const taken = new Map<string, string>()
    for (const { gridPos, targets = [], title } of dashboard.panels) {
      assert.ok(gridPos.x + gridPos.w <= COLUMNS, title)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          assert.equal(taken.get(`${x} ${y}`), undefined, title)
          taken.set(`${x} ${y}`, title)
        }
      const letters = targets.map(({ refId }) => refId)
      assert.equal(new Set(letters).size, letters.length, title)
    }
  })
})
