/** Clients that send slowly, read slowly, disconnect early or send nothing. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from '../fuzz/dice.ts'
import type { Account, LedgerCheck } from '../fuzz/ledger-check.ts'
import type { Tally } from '../fuzz/tally.ts'

export interface CarelessParts {
  readonly port: number
  readonly account: Account
  readonly ledgerCheck: LedgerCheck
  readonly tally: Tally
}

/** The reply to a batch of this many calls exceeds the buffers of a connection. */
const MANY_CALLS = 3_000
const CALL =
  '{"path":"/quantlib/pricing/bs/price","body":{"spot":100,"strike":105,"risk_free_rate":0.05,"volatility":0.2,"time_to_maturity":1}}'
const PATIENCE_MS = 10_000

type Manner = (socket: Socket, parts: CarelessParts, dice: Dice) => Promise<string>

const MANNERS: readonly (readonly [string, Manner])[] = [
  ['slow upload', slowUpload],
  ['slow reader', slowReader],
  ['disconnect in the body', disconnectInBody],
  ['disconnect before the reply', disconnectBeforeReply],
  ['half-close', halfClose],
  ['silent connection', silentConnection],
]

/** Opens one connection, behaves in one of these ways, and closes it. */
export async function beCareless(parts: CarelessParts, dice: Dice): Promise<void> {
  const [kind, manner] = dice.pick(MANNERS)
  const startedAt = performance.now()
  const socket = connect({ port: parts.port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  const text = await manner(socket, parts, dice).catch(() => '')
  socket.destroy()
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
  const charged = Number(/x-credits-cost: (\d+)/i.exec(text)?.[1] ?? 0)
  parts.tally.reply(kind, null, status === 0 ? null : status, performance.now() - startedAt)
  parts.ledgerCheck.recordSum(parts.account, charged, 1)
}

function request({ account }: CarelessParts, path: string, body: string): [head: string, body: string] {
  const head = `POST ${path} HTTP/1.1\r\nHost: quantd\r\nX-API-Key: ${account.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return [head, body]
}

const small = (parts: CarelessParts) =>
  request(parts, '/quantlib/economics/utility/log', '{"wealth":2}'.padEnd(2_000))

async function slowUpload(socket: Socket, parts: CarelessParts, dice: Dice): Promise<string> {
  const [head, body] = small(parts)
  socket.write(head)
  for (let start = 0; start < body.length; start += 200) {
    socket.write(body.slice(start, start + 200))
    await sleep(dice.integer(20, 120))
  }
  return await reply(socket)
}

async function slowReader(socket: Socket, parts: CarelessParts, dice: Dice): Promise<string> {
  const [head, body] = request(parts, '/quantlib/batch', `{"calls":[${Array(MANY_CALLS).fill(CALL)}]}`)
  socket.pause()
  socket.write(head + body)
  await sleep(dice.integer(500, 2_000))
  return await reply(socket)
}

async function disconnectInBody(socket: Socket, parts: CarelessParts, dice: Dice): Promise<string> {
  const [head, body] = small(parts)
  socket.write(head + body.slice(0, dice.integer(0, body.length - 1)))
  await sleep(dice.integer(0, 200))
  return ''
}

async function disconnectBeforeReply(socket: Socket, parts: CarelessParts, dice: Dice): Promise<string> {
  const [head, body] = small(parts)
  socket.write(head + body)
  await sleep(dice.integer(0, 30))
  return ''
}

async function halfClose(socket: Socket, parts: CarelessParts): Promise<string> {
  const [head, body] = small(parts)
  socket.end(head + body)
  return await reply(socket)
}

async function silentConnection(_: Socket, __: CarelessParts, dice: Dice): Promise<string> {
  await sleep(dice.integer(200, 2_000))
  return ''
}

/** Reads until the first reply is complete, the connection ends, or PATIENCE_MS pass without bytes. */
const reply = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    const end = () => resolve(text)
    if (socket.destroyed) return end()
    socket.setTimeout(PATIENCE_MS, end)
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      text += chunk
      const head = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (head !== -1 && text.length >= head + 4 + length) end()
    })
    socket.on('close', end)
    socket.resume()
  })
