/** The program and the commands of docs/how-to/bill-your-customers.md, with a stand-in for the payment provider. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.ts'
import { settingsOf } from '../support/operator.ts'
import { useOperators } from '../support/operators.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '../..')
const SECRET = 'whsec_of_the_provider'
const ACCOUNT = 'ada@example.org'

const page = readFileSync(join(root, 'docs/how-to/bill-your-customers.md'), 'utf8')
const blocksIn = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text!)

const { quantd, service, url } = await useOperators()
const folder = temporaryFolder('billing')
const port = await freePort()
let shell: ChildProcess
after(() => {
  // The commands and the program that they leave in the background are one group of processes.
  process.kill(-shell.pid!, 'SIGTERM')
})

const seconds = () => Math.floor(Date.now() / 1000)
const signatureOf = (payload: string, time = seconds(), secret = SECRET): string =>
  `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')}`

/** Sends a message as the provider does; returns the status of the reply. */
async function send(payload: string, signature = signatureOf(payload)): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'stripe-signature': signature },
    body: payload,
  })
  return status
}

const message = (type: string, object: object): string =>
  JSON.stringify({ id: 'evt_1', type, data: { object } })
const payment = (id: string, amount: number, account = ACCOUNT, currency = 'eur'): string =>
  message('payment_intent.succeeded', { id, amount_received: amount, currency, metadata: { account } })
const refund = (id: string, payment_intent: string, amount: number): string =>
  message('refund.created', { id, payment_intent, amount, currency: 'eur' })
const credits = async (): Promise<number> => (await quantd(['admin', 'show', ACCOUNT, '--json'])).json.credits

/** Commands of the page, as a shell runs them. */
const scriptOf = (
  ...blocks: string[]
): string => `quantd() { '${process.execPath}' '${join(root, 'bin/quantd.js')}' "$@"; }
  node() { exec '${process.execPath}' "$@"; }
  ${blocks.join('')}`
const surroundings = { cwd: folder, env: { ...process.env, ...settingsOf(service) } }

before(async () => {
  assert.equal((await quantd(['admin', 'create', ACCOUNT, '--credits', '0'])).code, 0)
  const [program] = blocksIn('js')
  writeFileSync(join(folder, 'billing.mjs'), program!)
  const [price, start] = blocksIn('sh')
  const here = start!.replace('http://127.0.0.1:9465', url).replace('PORT=8090', `PORT=${port}`)
  shell = spawn('sh', ['-eu', '-c', scriptOf(price!, here, 'wait')], {
    ...surroundings,
    stdio: 'inherit',
    detached: true,
  })
  await until(async () => {
    assert.equal(shell.exitCode, null, 'the commands of the page have ended')
    return (await send('', '').catch(() => 0)) === 400
  }, 'the program of the page answers')
})

describe('the program that receives payments', () => {
  it('grants the credits of a payment once, however often the provider sends it', async () => {
    const paid = payment('pi_1', 5_000)
    assert.deepEqual(await Promise.all([send(paid), send(paid)]), [200, 200])
    assert.equal(await send(paid, signatureOf(paid, seconds() + 1)), 200)
    assert.equal(await credits(), 5_000)
  })

  it('takes back the credits of refunds once, also in parts', async () => {
    for (const [id, amount] of [
      ['re_1', 2_000],
      ['re_1', 2_000],
      ['re_2', 500],
    ] as const)
      assert.equal(await send(refund(id, 'pi_1', amount)), 200)
    assert.equal(await credits(), 2_500)
  })

  it('lets the provider send a refund again that arrives before its payment', async () => {
    const refunded = refund('re_3', 'pi_2', 100)
    assert.equal(await send(refunded), 500)
    assert.equal(await send(payment('pi_2', 100)), 200)
    assert.equal(await send(refunded), 200)
    assert.equal(await credits(), 2_500)
  })

  it('refuses messages that are forged, changed, unsigned or replayed later', async () => {
    const paid = payment('pi_3', 1_000)
    const mac = signatureOf(paid).split('v1=')[1]
    for (const [of, signature] of [
      ['another secret', signatureOf(paid, seconds(), 'whsec_other')],
      ['another payload', signatureOf(payment('pi_3', 1))],
      ['another time', `t=${seconds() - 10},v1=${mac}`],
      ['no time', `v1=${mac}`],
      ['an old scheme', signatureOf(paid).replace('v1=', 'v0=')],
      ['a part of the signature', signatureOf(paid).slice(0, -2)],
      ['nothing', ''],
      ['ten minutes ago', signatureOf(paid, seconds() - 600)],
      ['the future', signatureOf(paid, seconds() + 600)],
    ] as const)
      assert.equal(await send(paid, signature), 400, of)
    assert.equal(await credits(), 2_500)
    const rolled = `${signatureOf(paid, seconds(), 'whsec_other')},v1=${signatureOf(paid).split('v1=')[1]}`
    assert.equal(await send(paid, rolled), 200, 'one of two secrets')
    assert.equal(await credits(), 3_500)
  })

  it('answers 500 to a payment that it cannot book, and 200 to messages of other types', async () => {
    assert.equal(await send(payment('pi_4', 100, 'nobody@example.org')), 500)
    assert.equal(await send(payment('pi_5', 100, ACCOUNT, 'usd')), 500)
    assert.equal(await send(payment('pi_1', 4_999)), 500)
    assert.equal(await send(message('customer.created', {})), 200)
    assert.equal(await credits(), 3_500)
  })
})

it('the commands that check a payment and write an invoice show each payment and refund, and the ledger is right', async () => {
  const [, , show, statement] = blocksIn('sh')
  const month = new Date().toISOString().slice(0, 7)
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-eu', '-c', scriptOf(show!, statement!.replaceAll('2026-01', month))],
    surroundings,
  )
  const invoice = readFileSync(join(folder, `ada-${month}.csv`), 'utf8')
  for (const reference of ['pi_1', 'pi_2', 'pi_3', 're_1', 're_2', 're_3'])
    assert.match(invoice, new RegExp(reference))
  assert.match(stdout, /3500 \(granted 3500/)
  assert.equal((await quantd(['admin', 'verify-ledger'])).code, 0)
})
