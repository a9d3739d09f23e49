/** Reading a body before it is paid takes little processor time for each of its bytes, however hostile it is. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Failure } from '../../src/base/failure.ts'
import { hasColumns } from '../../src/compute/catalogue/columns.ts'
import { operations } from '../../src/compute/catalogue/index.ts'
import { compileComputations } from '../../src/compute/computations.ts'
import { ProtocolRefusal, readMessage } from '../../src/serve/mcp/message.ts'
import { protocolServer } from '../../src/serve/mcp/server.ts'
import { fieldBytes } from '../../src/wire/json-bytes.ts'
import { type HostileBody, hostileBodies } from '../support/hostile-bodies.ts'

/** Three times the 50 ns and 1 ms that are promised: machines differ. Without the limits that are tested here, it is far more. */
const NANOS_PER_BYTE = 150
const BASE_MS = 3
const RUNS = Number(process.env.QUANTD_HOSTILE_BODIES ?? 20)
/**
 * Up to here a body is read before the call is admitted: then booleans, which are packed as bits, count as no more than their
 * bytes.
 */
const UNPAID_BYTES = 10_000
/** Sizes at which a body is read unpaid, on the event loop, as a message of MCP, and in a thread. */
const SIZES = [8_192, 65_536, 131_072, 524_288] as const

/** Computations of vectors and matrices. */
const ARRAY_PATHS = operations.filter((operation) => !hasColumns(operation)).map(({ path }) => path)

const all = compileComputations()({})
const readBody = ({ bytes, encoding, path }: HostileBody) =>
  all.get(path)!.read(bytes, { body: encoding, reply: 'json' })

/** A computation of arrays is admitted before a body beyond UNPAID_BYTES is read: it may then take twice as long. */
const isPaid = ({ bytes, path }: HostileBody): boolean =>
  bytes.length > UNPAID_BYTES && ARRAY_PATHS.includes(path as (typeof ARRAY_PATHS)[number])

function limitMs(body: HostileBody): number {
  const { booleans = 0, bytes } = body
  const counted = bytes.length <= UNPAID_BYTES ? bytes.length : Math.max(bytes.length, booleans)
  return BASE_MS + (counted * NANOS_PER_BYTE * (isPaid(body) ? 2 : 1)) / 1e6
}

/**
 * Milliseconds of processor time. The first time by the clock on the wall is never less; only where it is too long, it is
 * measured again: code may not be compiled yet, and the machine may be busy.
 */
function costMs(limit: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && least > limit; attempt++) {
    const before = process.threadCpuUsage()
    for (let time = 0; time < TIMES; time++) {
      const startedAt = performance.now()
      work()
      // A single run may fall between two switches to other processes, after which the caches are cold.
      least = Math.min(least, performance.now() - startedAt)
    }
    const { system, user } = process.threadCpuUsage(before)
    // The processor's clock may tick every 4 ms only; several runs together are longer.
    least = Math.min(least, ((system + user) / 1_000 + TICK_MS) / TIMES)
  }
  return least
}
/** The first runs are those of code that is not compiled yet. */
const ATTEMPTS = 5
const TIMES = 8
const TICK_MS = 4

function assertCheap(body: HostileBody, read: () => unknown): void {
  const limit = limitMs(body)
  const ms = costMs(limit, read)
  const excerpt = body.bytes.toString('latin1', 0, 60)
  assert.ok(ms <= limit, `${ms.toFixed(2)} ms for ${body.bytes.length} bytes of ${body.path}: ${excerpt}`)
}

describe('a stream that claims more than its bytes', () => {
  const refusal = (body: HostileBody): string => {
    assertCheap(body, () => readBody(body))
    const failure = readBody(body)
    assert.ok(failure instanceof Failure && failure.code === 'invalid_input')
    return failure.message
  }
  const make = (what: keyof typeof hostileBodies, bytes: number, variant: number) =>
    hostileBodies[what](bytes, variant)

  it('is refused with a million rows of no columns, in 280 bytes', () => {
    for (const path of ARRAY_PATHS) {
      const body = { ...make('rows without columns', 0, 0), path }
      assert.ok(body.bytes.length <= 280)
      assert.match(refusal(body), /it has 1000000 rows but no columns\.$/)
    }
  })

  it('is refused where its metadata names one entry many times, in 63 KB', () => {
    for (const path of ARRAY_PATHS)
      assert.match(
        refusal({ ...make('one entry of the metadata, named many times', 84_000, 0), path }),
        /it refers to the same bytes several times\)\.$/,
      )
  })

  it('is read with its dictionary decoded once, though hundreds of batches refer to it, in 512 KB', () => {
    const body = make('a large dictionary, referred to by many batches', 600_000, 1)
    assert.ok(body.bytes.length >= 500_000)
    assertCheap(body, () => readBody(body))
    const job = readBody(body)
    assert.ok(!(job instanceof Failure) && job.cost > 500)
  })
})

const ENVELOPE =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
const HEADERS = {
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'columns',
}
const HEAD = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{'

/** Places of a message that a body is put in. */
const PLACES: Readonly<Record<string, (bytes: Uint8Array) => readonly (Uint8Array | string)[]>> = {
  'a message': (bytes) => [bytes],
  'the arguments of a tool call': (bytes) => [HEAD, '"name":"columns","arguments":', bytes, `,${ENVELOPE}}}`],
  'the columns of a tool call': (bytes) => [
    ...[HEAD, '"name":"columns","arguments":{"tool":"economics_utility_log","columns":', bytes],
    `},${ENVELOPE}}}`,
  ],
  'the meta data of a tool call': (bytes) => [HEAD, '"name":"columns","_meta":', bytes, '}}'],
  'the capabilities of a client': (bytes) => [
    ...[HEAD, '"name":"columns",', ENVELOPE.slice(0, -3), bytes, '}}}'],
  ],
  'the parameters of a ping': (bytes) => [HEAD.replace('tools/call', 'ping'), '"x":', bytes, '}}'],
}

const protocol = protocolServer({ listFor: () => [], call: () => assert.fail('not called') }, '1.0.0')

/** All that precedes the ledger. */
function readAsMessage(bytes: Buffer): void {
  try {
    const message = readMessage(bytes)
    protocol.shortcut(HEADERS, message)
    if (message.call !== null) fieldBytes(message.call.argumentBytes, 'columns')
  } catch (error) {
    if (!(error instanceof ProtocolRefusal)) throw error
  }
}

describe('the time to read a body is bounded by its bytes', () => {
  for (const [what, make] of Object.entries(hostileBodies))
    it(what, () => {
      const bodies = fc.tuple(fc.constantFrom(...SIZES), fc.nat(10_000))
      fc.assert(
        fc.property(bodies, ([bytes, variant]) => {
          const body = make(bytes, variant)
          assertCheap(body, () => readBody(body))
        }),
        { numRuns: RUNS, endOnFailure: true },
      )
    })

  for (const [place, wrap] of Object.entries(PLACES))
    it(`as ${place} of MCP, with all that is done before the message is counted or its call admitted`, () => {
      const messages = ['many items', 'many names', 'one long text', 'one long number', 'white space']
      const kinds = fc.tuple(fc.constantFrom(...messages), fc.constantFrom(8_000, 130_000), fc.nat(10_000))
      fc.assert(
        fc.property(kinds, ([what, size, variant]) => {
          const body = hostileBodies[what](size, variant)
          const bytes = Buffer.concat(wrap(body.bytes).map((part) => Buffer.from(part)))
          assertCheap({ ...body, bytes }, () => readAsMessage(bytes))
        }),
        { numRuns: RUNS, endOnFailure: true },
      )
    })
})
