/** Clients that send slowly, read slowly, leave in the middle or stay without a word. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account, Books } from '../fuzz/books.ts'
import type { Dice } from '../fuzz/dice.ts'
import type { Tally } from '../fuzz/tally.ts'

export interface CarelessParts {
  readonly port: number
  readonly account: Account
  readonly books: Books
  readonly tally: Tally
}

/** Calls of a batch whose reply does not fit into the buffers of a connection. */
const MANY_CALLS = 3_000
const CALL =
  '{"path":"/quantlib/pricing/bs/price","body":{"spot":100,"strike":105,"risk_free_rate":0.05,"volatility":0.2,"time_to_maturity":1}}'
const PATIENCE_MS = 10_000

type Manner = (socket: Socket, parts: CarelessParts, dice: Dice) => Promise<string>

const MANNERS: readonly (readonly [string, Manner])[] = [
  ['slow upload', slowUpload],
  ['slow reader', slowReader],
  ['leaves in its body', leavesEarly],
  ['leaves before the reply', leavesUnread],
  ['closes its side', closesItsSide],
  ['says nothing', saysNothing],
]

/** One connection of such a client, from its opening to its end. */
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
  parts.books.toldRoughly(parts.account, charged, 1)
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
    await sleep(dice.whole(20, 120))
  }
  return await reply(socket)
}

async function slowReader(socket: Socket, parts: CarelessParts, dice: Dice): Promise<string> {
  const [head, body] = request(parts, '/quantlib/batch', `{"calls":[${Array(MANY_CALLS).fill(CALL)}]}`)
  socket.pause()
  socket.write(head + body)
  await sleep(dice.whole(500, 2_000))
  return await reply(socket)
}

async function leavesEarly(socket: Socket, parts: CarelessParts, dice: Dice): Promise<string> {
  const [head, body] = small(parts)
  socket.write(head + body.slice(0, dice.whole(0, body.length - 1)))
  await sleep(dice.whole(0, 200))
  return ''
}

async function leavesUnread(socket: Socket, parts: CarelessParts, dice: Dice): Promise<string> {
  const [head, body] = small(parts)
  socket.write(head + body)
  await sleep(dice.whole(0, 30))
  return ''
}

async function closesItsSide(socket: Socket, parts: CarelessParts): Promise<string> {
  const [head, body] = small(parts)
  socket.end(head + body)
  return await reply(socket)
}

async function saysNothing(_: Socket, __: CarelessParts, dice: Dice): Promise<string> {
  await sleep(dice.whole(200, 2_000))
  return ''
}

/** What comes until the first reply is whole, the connection ends or patience does. */
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
