/** The commands that check receipts and the audit: after a rotation, an erasure and a start, and against an exported file. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { eraseRemains } from '../../../src/accounts/delete-account.ts'
import { checkpointLines } from '../../../src/ledger/receipts/checkpoint.ts'
import { openCheckpoints } from '../../../src/ledger/receipts/checkpoint-schedule.ts'
import { checkAudit } from '../../../src/ledger/receipts/verify-audit.ts'
import type { PublishedKey } from '../../../src/wire/receipt-check/verify.ts'
import { query } from '../../support/database.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { startWithoutIpLimits, useService } from '../../support/people.ts'
import { testVault } from '../../support/proven-audit.ts'
import { request as send } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const PATH = '/quantlib/pricing/bs/price'
const BODY = '{"spot":100,"strike":105,"risk_free_rate":0.03,"volatility":0.2,"time_to_maturity":0.5}'

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')

describe('on the command line', async () => {
  const folder = temporaryFolder('checkpoints')
  const file = join(folder, 'checkpoints.ndjson')
  const service = await useService({ QUANTD_CHECKPOINT_FILE: file })
  const quantd = operator(settingsOf(service))
  const ada = await service.person()
  const at = (name: string) => join(service.dataDir, name)

  const keepReceipt = async (name: string): Promise<void> => {
    const answer = await send(service.url + PATH, { key: ada.key, raw: BODY })
    const id = answer.headers.get('x-request-id')
    const receipt = await service.call(`/user/receipt?request_id=${id}`, { key: ada.key })
    assert.equal(receipt.status, 200, receipt.text)
    writeFileSync(at(`${name}.json`), receipt.text)
    writeFileSync(at(`${name}-reply.json`), answer.text)
    writeFileSync(at('body.json'), BODY)
    writeFileSync(at(`${name}-keys.json`), (await service.call('/.well-known/quantd-keys.json')).text)
  }
  const verify = (name: string, keys: string) =>
    quantd([
      ...['verify-receipt', at(`${name}.json`), '--keys', at(`${keys}-keys.json`)],
      ...['--request', at('body.json'), '--reply', at(`${name}-reply.json`)],
    ])
  const rotated = async (): Promise<string> => {
    const { code, err, json } = await quantd(['rotate-signing-key', '--json'])
    assert.equal(code, 0, err)
    return json.key
  }
  const audit = async () => {
    const { code, err, json } = await quantd(['verify-audit', '--json'])
    return { code, err, faults: json?.faults, rows: json?.rows }
  }

  it('a receipt is checked with its files, and refused with other ones', async () => {
    await keepReceipt('first')
    const { code, err, out } = await verify('first', 'first')
    assert.equal(code, 0, err)
    assert.match(out, /valid: POST .*bs\/price, status 200, 1 credit,/)
    writeFileSync(at('body.json'), `${BODY} `)
    assert.equal((await verify('first', 'first')).code, 1)
  })

  it('a request without its reply is a wrong command line, and says nothing about the receipt', async () => {
    const keys = ['--keys', at('first-keys.json')]
    const { code, err } = await quantd([
      'verify-receipt',
      at('first.json'),
      ...keys,
      '--request',
      at('body.json'),
    ])
    assert.deepEqual(
      [code, err],
      [1, 'quantd: Request and reply can be checked together only: give both, or neither.\n'],
    )
  })

  it('of a failed call the request is proven, and no reply', async () => {
    const failed = await send(service.url + PATH, { key: ada.key, raw: '{"spot":-1}' })
    const id = failed.headers.get('x-request-id')
    const receipt = await service.call(`/user/receipt?request_id=${id}`, { key: ada.key })
    writeFileSync(at('failed.json'), receipt.text)
    writeFileSync(at('failed-body.json'), '{"spot":-1}')
    writeFileSync(at('made-up.json'), '{"success":true,"data":{"price":1000000}}')
    const files = [at('failed.json'), '--keys', at('first-keys.json'), '--request', at('failed-body.json')]
    const { code, out } = await quantd(['verify-receipt', ...files])
    assert.deepEqual([code, out.split('\n')[2]], [0, 'the request is that of the call'])
    const madeUp = await quantd(['verify-receipt', ...files, '--reply', at('made-up.json')])
    assert.deepEqual(
      [madeUp.code, madeUp.err],
      [1, 'quantd: The receipt of a failed call proves no reply: give the request alone.\n'],
    )
  })

  it('a tampered receipt is said to be altered', async () => {
    const receipt = readFileSync(at('first.json'), 'utf8')
    writeFileSync(at('given.json'), receipt.replace('"credits":1', '"credits":0'))
    const { code, err } = await quantd(['verify-receipt', at('given.json'), '--keys', at('first-keys.json')])
    assert.equal(code, 1)
    assert.match(err, /it was altered: the row, the group or a hash is not the one that was signed/)
  })

  it('files that are not receipts are refused in one line', async () => {
    const receipt = readFileSync(at('first.json'), 'utf8')
    for (const [text, reason] of [
      ['null', /malformed/],
      ['{"data":', /not JSON/],
      [`\ufeff${receipt}`, null],
      [receipt.replace('"credits":1', '"credits":0,"credits":1'), /a name twice/],
      [receipt.replace('"group":{', '"group":{"signed_by":"nobody",'), /group has other members/],
      [receipt.replace('"quantd_receipt":1', '"quantd_receipt":1.0'), null],
    ] as const) {
      writeFileSync(at('given.json'), text)
      const { code, err } = await quantd([
        'verify-receipt',
        at('given.json'),
        '--keys',
        at('first-keys.json'),
      ])
      assert.equal(code, reason === null ? 0 : 1, err)
      if (reason !== null) assert.match(err, reason)
      assert.equal(err.split('\n').length, reason === null ? 1 : 2, err)
    }
    writeFileSync(at('given.json'), 'null')
    const { code, err } = await quantd(['verify-receipt', at('first.json'), '--keys', at('given.json')])
    assert.deepEqual([code, /does not hold the published keys/.test(err)], [1, true], err)
    writeFileSync(at('given.json'), Buffer.from([0x22, 0xff, 0x22]))
    const binary = await quantd(['verify-receipt', at('given.json'), '--keys', at('first-keys.json')])
    assert.match(binary.err, /is not UTF-8/)
    const missing = await quantd(['verify-audit', '--checkpoints', at('none')])
    assert.deepEqual([missing.code, /cannot be read/.test(missing.err)], [1, true], missing.err)
  })

  it('a new signing key leaves receipts from before valid, and signs those from after', async () => {
    await rotated()
    await keepReceipt('second')
    assert.deepEqual(
      (await Promise.all([verify('first', 'second'), verify('second', 'second')])).map(({ code }) => code),
      [0, 0],
    )
    assert.equal((await verify('second', 'first')).code, 1)
  })

  it('two rotations in a row leave receipts of every key valid, each signed by the next key too', async () => {
    const ids = [await rotated(), await rotated()]
    await keepReceipt('fourth')
    for (const name of ['first', 'second', 'fourth'])
      assert.equal((await verify(name, 'fourth')).code, 0, name)
    assert.equal((await verify('fourth', 'second')).code, 1)
    const { keys } = JSON.parse(readFileSync(at('fourth-keys.json'), 'utf8')).data as { keys: PublishedKey[] }
    assert.deepEqual(
      keys.slice(2).map(({ id }) => id),
      ids,
    )
    assert.deepEqual(
      keys.map(({ until }) => until),
      [...keys.slice(1).map(({ from }) => from), null],
    )
    const newest = JSON.parse(readFileSync(at('fourth.json'), 'utf8')).data.checkpoint.number
    // A reply does not wait for the file.
    await until(() => linesOf(file).length >= newest, 'the file has every checkpoint')
    const lines = linesOf(file)
    const signers = lines.map((line) => JSON.parse(line).signatures.map(({ key }: { key: string }) => key))
    assert.deepEqual(
      signers.filter(({ length }) => length === 2),
      keys.slice(1).map(({ id }, before) => [keys[before].id, id]),
    )
    const checked = ['verify-audit', '--checkpoints', file, '--json', '--keys']
    const { code, json } = await quantd([...checked, at('fourth-keys.json')])
    assert.deepEqual([code, json.faults, json.exported], [0, [], lines.length])
    const earlier = await quantd([...checked, at('second-keys.json')])
    assert.equal(earlier.code, 1)
    for (const fault of earlier.json.faults)
      assert.match(fault, /^checkpoint \d+ has a key that is not among the given ones$/)
  })

  it('the audit agrees with its checkpoints, also after the addresses of an account were erased', async () => {
    const before = await audit()
    assert.deepEqual([before.code, before.faults], [0, []], before.err)
    const erased = await service.call('/user/delete', { key: ada.key, body: { password: ada.password } })
    assert.equal(erased.status, 200, erased.text)
    const later = await audit()
    assert.deepEqual([later.code, later.faults], [0, []], later.err)
    // The clean-up, when no call of the account can run any more, erases the salt too.
    const salts = async () => (await query(service, 'SELECT account_id FROM audit_salts')).length
    const kept = await salts()
    await query(service, 'UPDATE accounts SET deleted_at = deleted_at - 3600000 WHERE deleted_at IS NOT NULL')
    await eraseRemains(service.store, null)
    assert.equal(await salts(), kept - 1)
    const last = await audit()
    assert.deepEqual([last.code, last.faults], [0, []], last.err)
  })

  it('a row that is changed past the service is named', async () => {
    await query(service, "UPDATE audit SET credits = 0 WHERE kind = 'computation'")
    const { code, faults } = await audit()
    assert.equal(code, 1)
    assert.match(faults.join(), /group \d+ of stream \d+ was altered/)
  })
})

const CHECKPOINTS = {
  vault: testVault(),
  retentionMs: null,
  onUnwritten: (error: unknown) => assert.fail(String(error)),
}

it('the file of checkpoints has all of them, once, and a start goes on with it', async () => {
  const service = await useService()
  const file = join(service.dataDir, 'checkpoints.ndjson')
  await service.guest()
  const settings = { ...CHECKPOINTS, store: service.store, file }
  for (let start = 0; start < 3; start++) {
    await service.guest()
    await openCheckpoints(settings).make()
  }
  const numbers = linesOf(file).map((line) => JSON.parse(line).checkpoint.number)
  assert.deepEqual(
    numbers,
    Array.from({ length: numbers.length }, (_, n) => n + 1),
  )
  assert.ok(numbers.length >= 3)
  const quantd = operator(settingsOf(service))
  const { code, json } = await quantd(['verify-audit', '--checkpoints', file, '--json'])
  assert.deepEqual([code, json.exported], [0, numbers.length])
  await query(service, `DELETE FROM checkpoints WHERE number = ${numbers.length}`)
  assert.equal((await quantd(['verify-audit', '--checkpoints', file])).code, 1)
})

it('nodes that share the file append some checkpoints twice, which no audit is accused of', async () => {
  const service = await useService()
  const file = join(service.dataDir, 'checkpoints.ndjson')
  const settings = { ...CHECKPOINTS, store: service.store, file }
  const nodes = [openCheckpoints(settings), openCheckpoints(settings)]
  // The second node appends at once what the first one has made meanwhile.
  for (const node of [1, 0, 0, 1]) {
    await service.guest()
    await nodes[node].make()
  }
  const lines = linesOf(file)
  const numbers = lines.map((line) => JSON.parse(line).checkpoint.number)
  assert.deepEqual(numbers, [1, 2, 3, 2, 3, 4])
  const quantd = operator(settingsOf(service))
  const check = async (text: string) => {
    writeFileSync(file, text)
    const { code, err, json, out } = await quantd(['verify-audit', '--checkpoints', file, '--json'])
    return { code, says: err || out, faults: json?.faults, exported: json?.exported }
  }
  const cut = lines[0].slice(0, 100)
  for (const [text, exported] of [
    [lines.join('\n'), 6],
    [lines.toReversed().join('\r\n'), 6],
    [[cut, '{"check', '{"checkpoint":{"at":12', ...lines].join('\n'), 6],
    [lines[5], 1],
  ] as const) {
    const { code, faults, says, exported: compared } = await check(text)
    assert.deepEqual([code, faults, compared], [0, [], exported], says)
  }
  const changed = lines[1].replace(/"root":"./, '"root":"x')
  assert.deepEqual((await check([changed, ...lines].join('\n'))).faults, [
    'the exported checkpoint 2 is not signed',
  ])
  for (const line of ['null', '3', '{"checkpoint":null}', '{"checkpoint":{}}', 'cut']) {
    const { code, faults } = await check([line, ...lines].join('\n'))
    assert.deepEqual([code, faults], [1, [`the exported file has a line that is no checkpoint: ${line}`]])
  }
  for (const text of ['', cut]) {
    const { code, says } = await check(text)
    assert.equal(code, 1)
    assert.match(says, /holds no checkpoint/)
  }
})

it('every change of an exported checkpoint is reported, also of its signature', async () => {
  const service = await useService()
  const settings = { store: service.store, vault: testVault(), retentionMs: null, file: null }
  await service.guest()
  await openCheckpoints({ ...settings, onUnwritten: (error) => assert.fail(String(error)) }).make()
  const [{ line }] = await service.store.run(checkpointLines, 0, 1)
  const faultsOf = async (exported: readonly string[]) =>
    (await service.store.run(checkAudit, { exported, keys: null, mostFaults: 10_000 })).faults
  assert.deepEqual(await faultsOf([line]), [])
  const { checkpoint, signatures } = JSON.parse(line)
  const [{ key, signature }] = signatures
  const last = signature.at(-1) === 'A' ? 'B' : String.fromCharCode(signature.charCodeAt(85) + 1)
  const signed = (list: unknown) => JSON.stringify({ checkpoint, signatures: list })
  const altered = [
    ...Array.from(
      line,
      (own, place) => line.slice(0, place) + (own === 'x' ? 'y' : 'x') + line.slice(place + 1),
    ),
    ...[signed([]), signed(null), signed([...signatures, { key: 'other', signature }])],
    // Bits of the last digit that belong to no byte.
    signed([{ key, signature: signature.slice(0, -1) + last }]),
    signed([{ key, signature, by: 'nobody' }]),
    JSON.stringify({ checkpoint, signatures, by: 'nobody' }),
    line.replace('{"checkpoint":', '{"checkpoint":{},"checkpoint":'),
  ]
  assert.equal((await faultsOf([line, ...altered])).length, altered.length)
})

it('a file with later checkpoints than a restored database gets the new ones, too', async () => {
  const folder = temporaryFolder('restored')
  const file = join(folder, 'checkpoints.ndjson')
  const made = async () => {
    const service = await startWithoutIpLimits()
    const onUnwritten = (error: unknown) => assert.fail(String(error))
    const { make } = openCheckpoints({
      store: service.store,
      vault: testVault(),
      retentionMs: null,
      file,
      onUnwritten,
    })
    for (let count = 0; count < 2; count++) {
      await service.guest()
      await make()
    }
    await service.close()
  }
  await made()
  await made()
  assert.deepEqual(
    linesOf(file).map((line) => JSON.parse(line).checkpoint.number),
    [1, 2, 1, 2],
  )
})

it('a pipe that nobody reads holds nothing, and its next reader gets what it lacks', async (t) => {
  const service = await useService()
  const file = join(service.dataDir, 'checkpoints')
  execFileSync('mkfifo', [file])
  const failures: string[] = []
  const { make } = openCheckpoints({
    store: service.store,
    vault: testVault(),
    retentionMs: null,
    file,
    onUnwritten: (error) => failures.push((error as NodeJS.ErrnoException).code!),
  })
  await service.guest()
  await make()
  assert.deepEqual(failures, ['ENXIO'])
  const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  t.after(() => closeSync(reader))
  await service.guest()
  await make()
  assert.equal(failures.length, 1)
  const read = Buffer.alloc(65_536)
  const lines = read.toString('utf8', 0, readSync(reader, read)).split('\n')
  const numbers = lines.filter((line) => line !== '').map((line) => JSON.parse(line).checkpoint.number)
  assert.deepEqual(numbers, [1, 2])
})

it('rows of nodes that went on with a version without proofs are told apart, for a day', async () => {
  const service = await useService()
  const quantd = operator(settingsOf(service))
  const key = await service.guest()
  await query(service, "INSERT INTO facts (name, value) VALUES ('audit proven from', '1000')")
  const answer = await send(service.url + PATH, { key, raw: BODY })
  const id = answer.headers.get('x-request-id')
  assert.equal((await service.call(`/user/receipt?request_id=${id}`, { key })).status, 200)
  const insert = async (at: number) => {
    await query(service, "CREATE TABLE more AS SELECT * FROM audit WHERE kind = 'computation' AND stream > 0")
    await query(service, `UPDATE more SET id = 'at ${at}', at = ${at}, stream = NULL, group_number = NULL`)
    await query(service, 'INSERT INTO audit SELECT * FROM more')
    await query(service, 'DROP TABLE more')
  }
  await insert(60_000)
  const upgraded = await quantd(['verify-audit'])
  assert.equal(upgraded.code, 0, upgraded.out)
  assert.match(upgraded.out, /1 rows without proof were written by a version without proofs/)
  await insert(1_000 + 86_400_000)
  const forged = await quantd(['verify-audit', '--json'])
  assert.deepEqual([forged.code, forged.json.older], [1, 1])
  assert.deepEqual(forged.json.faults, ['the audit has 1 rows more than its groups'])
})
