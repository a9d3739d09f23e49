/** The plan: changed while the service runs, on every node, with who and why; the cost report of what was charged. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { refund } from '../../src/ledger/metering/refunds.ts'
import { query, unbalanced } from '../support/database.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { useOperators } from '../support/operators.ts'
import { COMPUTED, refused, times } from '../support/people.ts'
import { startTestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const FOREST = '/quantlib/ml/clustering/isolation-forest'
const COSTS = [2, 3, 7] as const

/** A second node on the database. */
const node = (databaseUrl: string) => startTestService({ DATABASE_URL: databaseUrl })

const SETTINGS = { QUANTD_TIERS: 'basic=700', QUANTD_COSTS: `${FOREST}=3` }
const { act, all, done, quantd, service } = await useOperators(SETTINGS)

const version = async (): Promise<number> => (await done('plan')).version
const set = async (change: object) => await done('plan/set', { version: await version(), ...change })

const priced = async (key: string) => {
  const { headers, status } = await service.call(COMPUTED, { key, body: { wealth: 2 } })
  return [status, headers.get('x-credits-cost'), headers.get('ratelimit-policy')]
}

describe('the plan', () => {
  it('is that of the settings until a value is set, which a second node has too', async (context) => {
    const first = await done('plan')
    assert.deepEqual([first.version, first.set, first.made_by], [0, [], null])
    assert.deepEqual(first.tiers.basic, { hour: 700, day: null })
    assert.deepEqual([first.costs[FOREST], first.costs[COMPUTED]], [3, 1])
    const other = service.databaseUrl === null ? null : await node(service.databaseUrl)
    context.after(() => other?.close())
    const { email, key: paying } = await service.person()
    await quantd(['admin', 'grant', email, '1000000'])
    await quantd(['admin', 'set-limits', email, '--hour', '1000000'])
    const key = await service.guest()
    const changed = await done('plan/set', {
      version: 0,
      note: 'spring',
      costs: { [COMPUTED]: 4 },
      initial_credits: { guest: 9 },
      tiers: { guest: { hour: 30, day: 20 } },
    })
    assert.equal(changed.changed, true)
    assert.deepEqual(changed.plan.set, [`costs${COMPUTED}`, 'initial_credits/guest', 'tiers/guest'])
    assert.deepEqual(changed.plan.tiers.basic, { hour: 700, day: null }, 'that of the settings')
    assert.deepEqual(await priced(key), [200, '4', '"hour";q=30;w=3600, "day";q=20;w=86400'])
    const device = { device_id: 'd-1', device_name: 'test', platform: 'node' }
    assert.equal((await service.call('/guest/create', { body: device })).body.data.credit_balance, 9)
    if (other !== null) {
      const cost = async () => (await other.call(COMPUTED, { key: paying, body: { wealth: 2 } })).headers
      const isCurrent = async () => (await cost()).get('x-credits-cost') === '4'
      await until(isCurrent, 'the second node has the plan')
    }
  })

  it('is in force soon where a command has set it, and after a restart', async (context) => {
    const folder = temporaryFolder('plan')
    const many = { QUANTD_TIERS: 'guest=100000/100000', QUANTD_INITIAL_CREDITS: 'guest=100000' }
    const first = await startTestService({ ...many, QUANTD_DATA_DIR: folder })
    let running = first
    context.after(() => running.close())
    const settings = { ...settingsOf({ ...first, dataDir: folder }), ...many }
    const key = await first.guest()
    const { code, err } = await operator(settings)(['admin', 'plan', 'set', '--cost', `${COMPUTED}=5`])
    assert.equal(code, 0, err)
    const cost = async () =>
      (await running.call(COMPUTED, { key, body: { wealth: 2 } })).headers.get('x-credits-cost')
    const isCurrent = async () => (await cost()) === '5'
    await until(isCurrent, 'the service follows the command')
    await first.close()
    running = await startTestService(settings)
    assert.equal(await cost(), '5')
  })

  it('is stated by every document, by the script of the console, and by quotes', async () => {
    await set({ costs: { [COMPUTED]: 6 }, initial_credits: { guest: 11, registered: 222 } })
    for (const path of ['/docs.md', '/openapi.json'])
      assert.match((await service.call(path)).text, /starts with 11 credits, a verified account with 222\./)
    assert.match((await service.call('/assets/sign-up.js')).text, new RegExp(`"${COMPUTED}":6`))
    assert.match((await service.call('/docs.md')).text, new RegExp(`${COMPUTED}.*\\| 6 \\|`))
    const key = await service.guest()
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'quote', arguments: { tool: 'economics_utility_log', arguments: { wealth: 2 } } },
    }
    const accept = { accept: 'application/json, text/event-stream' }
    const quoted = await service.call('/mcp', { key, body: message, headers: accept })
    assert.equal(quoted.body.result.structuredContent.cost, 6, quoted.text)
  })

  it('is set and shown by commands, each change with who, why and the difference', async () => {
    const from = await version()
    const { code, err, json } = await quantd([
      ...['admin', 'plan', 'set', '--tier', 'pro=6000/9000', '--tier', 'basic=800', '--cost', `${FOREST}=8`],
      ...['--initial-credits', 'guest=default', '--low-credits', '55', '--note', 'more for pro', '--json'],
    ])
    assert.equal(code, 0, err)
    assert.deepEqual(
      [json.version, json.note, json.tiers.pro, json.tiers.basic, json.costs[FOREST], json.low_credits],
      [from + 1, 'more for pro', { hour: 6_000, day: 9_000 }, { hour: 800, day: null }, 8, 55],
    )
    assert.equal(json.initial_credits.guest, 50)
    const { out } = await quantd(['admin', 'plan', 'show'])
    assert.match(out, /^Version \d+, made .* by .*: more for pro\n/)
    assert.match(out, /^\* tiers\/pro +6000 an hour, 9000 a day$/m)
    assert.match(out, /^ {2}costs\/quantlib\/pricing\/bs\/price +1 credit$/m)
    const [row] = await query(
      service,
      "SELECT detail FROM audit WHERE code = 'plan_changed' ORDER BY at DESC",
    )
    const { changes } = JSON.parse(String(row!.detail))
    const of = (item: string) => changes.find((one: { item: string }) => one.item === item)
    assert.deepEqual(of(`costs${FOREST}`), { item: `costs${FOREST}`, from: 3, to: 8 })
    assert.deepEqual(of('initial_credits/guest'), { item: 'initial_credits/guest', from: 11, to: 50 })
    const { items } = await done('plan/history?limit=1')
    assert.equal(items[0].version, from + 1)
    assert.deepEqual(
      items[0].changes.find(({ item }: { item: string }) => item === 'low_credits'),
      { item: 'low_credits', from: null, to: 55 },
    )
    const listed = await quantd(['admin', 'plan', 'history'])
    assert.match(listed.out, /costs\/quantlib\/ml\/clustering\/isolation-forest +settings → 8 credits/)
    const unchanged = await quantd(['admin', 'plan', 'set', '--tier', 'basic=800'])
    assert.match(unchanged.out, /^Nothing had to be changed\./)
    const lifted = await quantd(['admin', 'plan', 'set', '--tier', 'basic=default', '--json'])
    assert.deepEqual(lifted.json.tiers.basic, { hour: 700, day: null })
  })

  it('is changed by one of two editors who saw the same version', async () => {
    const seen = await version()
    const replies = await Promise.all(
      [1, 2, 3, 4, 5].map((more) =>
        act('plan/set', { version: seen, tiers: { standard: { hour: 2_000 + more, day: null } } }),
      ),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    const late = replies.find(({ status }) => status !== 200)!
    refused(late, 409, 'conflict')
    assert.match(late.body.message, new RegExp(`has the version ${seen + 1} by now, made by admin`))
    const command = await quantd(['admin', 'plan', 'set', '--version', String(seen), '--tier', 'pro=1'])
    assert.equal(command.code, 1, command.out)
    assert.match(command.err, /Nothing was changed/)
    assert.equal(await version(), seen + 1)
  })

  it('refuses what is no plan, and says where', async () => {
    const from = await version()
    for (const [change, path, message] of [
      [{ costs: { '/quantlib/none': 1 } }, '/costs/~1quantlib~1none', /is not an operation/],
      [{ costs: { '/quantlib/batch': 1 } }, '/costs/~1quantlib~1batch', /is not an operation/],
      [{ costs: { [COMPUTED]: -1 } }, `/costs/${COMPUTED.replaceAll('/', '~1')}`, /at least 0/],
      [{ costs: { [COMPUTED]: '1' } }, `/costs/${COMPUTED.replaceAll('/', '~1')}`, /integer/],
      [{ tiers: { gold: { hour: 1, day: null } } }, '/tiers/gold', /not a field/],
      [{ tiers: { pro: { hour: 0, day: null } } }, '/tiers/pro/hour', /at least 1/],
      [{ tiers: { pro: { hour: 5 } } }, '/tiers/pro/day', /required/],
      [{ initial_credits: { guest: 1.5 } }, '/initial_credits/guest', /integer/],
      [{ low_credits: 1e12 }, '/low_credits', /at most/],
      [{ tier: {} }, '/tier', /tiers/],
    ] as const) {
      const answer = await act('plan/set', { version: from, ...change })
      refused(answer, 422, 'invalid_input')
      assert.equal(answer.body.error.details[0].path, path, answer.text)
      assert.match(answer.body.error.details[0].message, message)
      assert.ok(answer.body.message.includes(path.split('/').at(-1)!.replaceAll('~1', '/')), answer.text)
    }
    for (const args of [
      ['--tier', 'gold=5'],
      ['--tier', 'pro=0'],
      ['--tier', 'gold=default'],
      ['--initial-credits', 'nobody=5'],
      ['--cost', `${COMPUTED}=x`],
      ['--cost', '/quantlib/none=2'],
    ]) {
      const { code, err } = await quantd(['admin', 'plan', 'set', ...args])
      assert.ok(code > 0, args.join(' '))
      assert.match(err, /account types|from 1|registered or guest|whole number|no operation/)
    }
    assert.equal(await version(), from)
  })

  it('charges a call what it cost at its admission, amid changes of the cost, and the ledger agrees', async () => {
    const { email, key } = await service.person()
    const granted = await quantd(['admin', 'grant', email, '100000000'])
    assert.equal(granted.code, 0, granted.err)
    await quantd(['admin', 'set-limits', email, '--hour', '100000'])
    // Over 64 KiB: a thread reads it, and the costs again.
    const calls = [
      ...Array.from({ length: 1_500 }, () => ({ path: COMPUTED, body: { wealth: 2.123456789 } })),
      ...[1, 2, 3].map((x) => ({ path: FOREST, body: { X: [[1], [2], [x]], n_trees: 1 } })),
    ]
    let isChanging = true
    const seen = new Set<number>()
    await set({ costs: { [COMPUTED]: COSTS[0], [FOREST]: 10 * COSTS[0] } })
    const load = times(4, async () => {
      while (isChanging) {
        const single = await service.call(COMPUTED, { key, body: { wealth: 2 } })
        seen.add(Number(single.headers.get('x-credits-cost')))
        const batch = await service.call('/quantlib/batch', { key, body: { calls } })
        assert.equal(batch.status, 200, batch.text.slice(0, 300))
        const charged = Number(batch.headers.get('x-credits-cost'))
        assert.ok(
          COSTS.some((cost) => charged === (1_500 + 3 * 10) * cost),
          `${charged} credits`,
        )
        seen.add(charged / 1_530)
      }
    })
    try {
      for (const cost of COSTS) {
        await set({ costs: { [COMPUTED]: cost, [FOREST]: 10 * cost } })
        await until(() => seen.has(cost), `calls cost ${cost}`)
      }
    } finally {
      isChanging = false
      await load
    }
    for (const cost of seen)
      assert.ok(
        COSTS.some((one) => one === cost),
        String(cost),
      )
    assert.deepEqual(await unbalanced(service), [])
    assert.equal((await done('verify-ledger', {})).ok, true)
  })
})

describe('the cost report', () => {
  let month: string
  before(() => {
    month = new Date(service.newDay()).toISOString().slice(0, 7)
  })

  it('has the calls of a month by account, key and operation, as the ledger and the export have them', async () => {
    const { email, key } = await service.person()
    const made = await service.call('/user/keys/create', { key, body: { name: '=HYPERLINK("x")' } })
    const team: string = made.body.data.key
    await set({ costs: { [COMPUTED]: 3, [FOREST]: 5 } })
    const forest = { path: FOREST, body: { X: [[1], [2], [9]], n_trees: 1 } }
    const calls = [{ path: COMPUTED, body: { wealth: 2 } }, forest, { path: COMPUTED, body: { wealth: -1 } }]
    const answers = [
      await service.call(COMPUTED, { key, body: { wealth: 2 } }),
      await service.call(COMPUTED, { key, body: { wealth: -2 } }),
      await service.call('/quantlib/batch', { key: team, body: { calls } }),
      await service.call(FOREST, { key: team, body: forest.body }),
    ]
    const spent = answers.reduce((sum, { headers }) => sum + Number(headers.get('x-credits-cost')), 0)
    assert.equal(spent, 3 + 0 + 8 + 5)
    // A refund, as of a call whose outcome was unknown.
    const [row] = await query(
      service,
      `SELECT id, account_id FROM audit WHERE path = '${COMPUTED}' AND credits = 3 ORDER BY at DESC`,
    )
    await service.store.run(refund, [{ auditId: String(row!.id), accountId: Number(row!.account_id) }])
    const report = await done(`reports/costs?month=${month}&account=${email}`)
    assert.deepEqual(
      report.items.map((item: Record<string, unknown>) => [
        ...[item.key_name, item.path, item.calls, item.credits, item.refunded],
      ]),
      [
        [null, COMPUTED, 2, 3, 3],
        ['=HYPERLINK("x")', COMPUTED, 2, 3, 0],
        ['=HYPERLINK("x")', FOREST, 2, 10, 0],
      ],
    )
    assert.deepEqual(report.totals, { calls: 6, credits: 16, refunded: 3 })
    const shown = await done(`accounts/show?account=${email}`)
    assert.equal(shown.spent, report.totals.credits - report.totals.refunded)
  })

  it('of all accounts adds up to the audit and the ledger, page by page, by command and as a table', async () => {
    const items = await all(`reports/costs?month=${month}`, 2)
    const sum = (name: string) => items.reduce((total, item) => total + Number(item[name]), 0)
    const own = "SELECT id FROM accounts WHERE tier <> 'guest'"
    const [audited] = await query(
      service,
      `SELECT sum(calls) AS calls, sum(credits) AS credits FROM audit WHERE kind = 'computation' AND account_id IN (${own})
       AND at >= ${Date.parse(`${month}-01`)}`,
    )
    const [refunded] = await query(service, "SELECT sum(amount) AS credits FROM ledger WHERE kind = 'refund'")
    assert.deepEqual(
      [sum('calls'), sum('credits'), sum('refunded')],
      [Number(audited!.calls), Number(audited!.credits), Number(refunded!.credits)],
    )
    const table = await act(`reports/costs?month=${month}&format=csv&limit=1000`)
    assert.equal(table.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(table.text.trimEnd().split('\r\n').length, items.length + 1)
    assert.match(table.text, /^month,account_id,email,key_id,key_name,path,calls,credits,refunded\r\n/)
    assert.match(table.text, /"'=HYPERLINK\(""x""\)"/, 'no formula')
    const paged = await act(`reports/costs?month=${month}&format=csv&limit=1`)
    assert.match(paged.headers.get('x-next-cursor')!, /^\d+$/)
    const command = await quantd(['admin', 'cost-report', '--month', month])
    assert.equal(command.out, table.text)
    const json = await quantd(['admin', 'cost-report', '--month', month, '--json'])
    assert.deepEqual(json.json.items, items)
  })

  it('of a past month is the same after its days are closed, and invalid queries are refused', async () => {
    const before = await done(`reports/costs?month=${month}&limit=1000`)
    service.advance(40 * 86_400_000)
    assert.deepEqual(await done(`reports/costs?month=${month}&limit=1000`), before)
    for (const question of ['month=2026-13', 'month=2026-1', 'month=x', '', `month=${month}&format=xml`])
      refused(await act(`reports/costs?${question}`), 422, 'invalid_input')
    refused(await act(`reports/costs?month=${month}&account=nobody@example.org`), 404, 'not_found')
  })
})
