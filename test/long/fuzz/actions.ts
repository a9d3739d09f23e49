/** The requests of the fuzzer: each action draws one, with the statuses that its reply may have. */

import odd from '../../support/odd.json' with { type: 'json' }
import type { PlainSql } from '../../support/plain-sql.ts'
import { AMPLE, guestAccount, type Terms } from './accounts.ts'
import { mutatedStream, seedStreams } from './arrow.ts'
import { bodyBytes, mutate, repeatArrays, validBody } from './bodies.ts'
import type { Dice } from './dice.ts'
import { type ApiDocument, ARROW, type Endpoint } from './document.ts'
import { PASSWORD_MARK } from './judge.ts'
import type { Answer, Lane } from './lane.ts'
import type { Account } from './ledger-check.ts'
import { rawRequest } from './raw-bytes.ts'
import { bytesOf, type PlannedRequest, unusualQuery, withUnusualHeader } from './requests.ts'
import { treeOf } from './tree.ts'

/** The accounts that a lane calls with, and its state. */
export interface Caller {
  readonly name: string
  readonly lane: Lane
  readonly document: ApiDocument
  /** Has unlimited credits and rate limits. Used by this lane only, so the standing after each call is known. */
  readonly ample: Account
  /** Has no credits. */
  readonly poor: Account
  /** Is limited to one request per hour. */
  readonly limited: Account
  /** Sends raw bytes; how many calls they make is unknown. */
  readonly rough: Account
  /** A registered account; only some lanes have one. */
  readonly member: Account | null
  readonly refused: readonly { readonly apiKey: string; readonly status: number }[]
  /** Recent requests that succeeded with an Idempotency-Key. */
  readonly paid: Paid[]
  /** Recent single calls and their replies. */
  readonly singles: Single[]
}

/** A caller and its accounts. */
export async function openCaller(
  { document, lane, name, refused }: Pick<Caller, 'document' | 'lane' | 'name' | 'refused'>,
  { member = null, sql, url }: { url: string; sql: PlainSql; member?: Account | null },
): Promise<Caller> {
  const guest = (kind: string, terms: Partial<Terms> = {}) =>
    guestAccount(url, sql, `${name} ${kind}`, { ...AMPLE, ...terms })
  return {
    ...{ name, lane, document, member, refused, paid: [], singles: [] },
    ample: await guest('ample'),
    poor: await guest('poor', { credits: 0 }),
    limited: await guest('limited', { hourLimit: 1 }),
    rough: await guest('rough'),
  }
}

interface Paid {
  readonly id: string
  readonly planned: PlannedRequest
  readonly data: string
}

interface Single {
  readonly path: string
  readonly body: string
  readonly answer: Answer
}

const REMEMBERED = 6
/** Above this size a body is parsed and computed in a worker thread. */
const POOLED_BYTES = 66_000

type Action = (caller: Caller, number: number, dice: Dice) => Promise<void>

export const act: Action = (caller, number, dice) => dice.weighted(ACTIONS)(caller, number, dice)

/** Each request is a mutated Arrow stream. */
export const actArrow: Action = (caller, number, dice) => mutatedStreamOf(caller, number, dice)

const ACTIONS: readonly (readonly [number, Action])[] = [
  [22, validComputation],
  [34, mutatedComputation],
  [5, batchOfMutations],
  [3, batchOfSingles],
  [3, paidComputation],
  [3, repetition],
  [8, unusualHeader],
  [4, refusedKey],
  [3, poorOrLimited],
  [0.3, pooledComputation],
  [6, mutatedStreamOf],
  [6, accountWithKey],
  [3, accountWithoutKey],
  [4, serviceOrUnknown],
  [4, rawBytes],
]

const computations = ({ document }: Caller) => document.endpoints.filter(({ isComputation }) => isComputation)
const operations = (caller: Caller) => computations(caller).filter(({ isBatch }) => !isBatch)
const singleCalls = (caller: Caller) => operations(caller).filter(({ isColumns }) => !isColumns)

async function validComputation(caller: Caller, number: number, dice: Dice): Promise<void> {
  const endpoint = dice.pick(operations(caller))
  const isExample = dice.oneIn(6)
  const body = isExample
    ? bodyBytes(treeOf(endpoint.example), dice, false)
    : bodyBytes(validBody(endpoint, dice), dice, false)
  const planned = computation('valid computation', endpoint, body, caller, number)
  const statuses = isExample ? [200] : planned.statuses
  const answer = await caller.lane.send(number, { ...planned, statuses }, caller.ample, inPieces(dice))
  remember(caller, endpoint, body, answer)
}

const seeds = new Map<string, readonly Buffer[]>()

async function mutatedStreamOf(caller: Caller, number: number, dice: Dice): Promise<void> {
  const endpoint = dice.pick(computations(caller).filter(({ takesArrow }) => takesArrow))
  const ofEndpoint = seeds.get(endpoint.path) ?? seedStreams(endpoint)
  seeds.set(endpoint.path, ofEndpoint)
  const body = mutatedStream(ofEndpoint, dice)
  const planned = request(
    'mutated Arrow stream',
    endpoint,
    body,
    caller.ample.apiKey,
    `${caller.name}-${number}`,
  )
  const headers = planned.headers.map(
    ([name, value]) => [name, name === 'Content-Type' ? ARROW : value] as const,
  )
  await caller.lane.send(number, { ...planned, headers, statuses: [200, 422] }, caller.ample)
}

async function mutatedComputation(caller: Caller, number: number, dice: Dice): Promise<void> {
  const endpoint = dice.pick(operations(caller))
  const body = mutatedBody(endpoint, dice)
  const planned = computation('mutated computation', endpoint, body, caller, number)
  remember(caller, endpoint, body, await caller.lane.send(number, planned, caller.ample))
}

function mutatedBody(endpoint: Endpoint, dice: Dice): Buffer {
  const tree = validBody(endpoint, dice)
  mutate(tree, dice)
  return bodyBytes(tree, dice, true)
}

function remember(
  { singles }: Caller,
  { isColumns, path }: Endpoint,
  body: Buffer,
  answer: Answer | null,
): void {
  if (isColumns) return
  const text = body.toString()
  // In a batch each body is nested deeper, and one that is not JSON makes the batch invalid.
  if (answer === null || ![200, 422].includes(answer.status) || body.length > 3_000 || depthOf(text) > 16)
    return
  if (classOf(null, body) === 'unparseable' || !/^\s*\{/.test(text)) return
  singles.push({ path, body: text, answer })
  if (singles.length > REMEMBERED) singles.shift()
}

async function batchOfMutations(caller: Caller, number: number, dice: Dice): Promise<void> {
  const batch = computations(caller).find(({ isBatch }) => isBatch)!
  const calls = Array.from({ length: dice.pick([1, 2, 5, 20, 100]) }, () => {
    const endpoint = dice.pick(singleCalls(caller))
    const tree = validBody(endpoint, dice)
    if (dice.oneIn(5)) mutate(tree, dice)
    return `{"path":${JSON.stringify(endpoint.path)},"body":${bodyBytes(tree, dice, false)}}`
  })
  let body: Buffer = Buffer.from(`{"calls":[${calls}]}`)
  if (dice.oneIn(4)) {
    const tree = treeOf(batch.example)
    mutate(tree, dice)
    body = bodyBytes(tree, dice, true)
  }
  await caller.lane.send(number, computation('batch', batch, body, caller, number), caller.ample)
}

/** Each result of a batch must equal the reply to the same call sent alone. */
async function batchOfSingles(caller: Caller, number: number, dice: Dice): Promise<void> {
  const batch = computations(caller).find(({ isBatch }) => isBatch)!
  const singles = [...caller.singles]
  if (singles.length === 0) return await validComputation(caller, number, dice)
  const calls = singles.map(({ body, path }) => `{"path":${JSON.stringify(path)},"body":${body}}`)
  const planned = computation('batch of singles', batch, Buffer.from(`{"calls":[${calls}]}`), caller, number)
  const answer = await caller.lane.send(number, { ...planned, statuses: [200, 422] }, caller.ample)
  if (answer?.status === 422 && answer.body.details[0]?.message !== 'hold too much work together')
    caller.lane.violated(number, 'calls that ran alone are refused in a batch', bytesOf(planned), null)
  if (answer?.status !== 200) return
  const { results } = answer.body.data
  for (const [index, { answer: alone }] of singles.entries()) {
    const result = results[index]
    const isSame = result?.success
      ? JSON.stringify(result.data) === JSON.stringify(alone.body.data)
      : alone.status === 422 && result?.message === alone.body.message
    if (!isSame)
      caller.lane.violated(
        number,
        `result ${index} of the batch is ${JSON.stringify(result).slice(0, 300)}; sent alone, the call returned ${JSON.stringify(alone.body).slice(0, 300)}`,
        bytesOf(planned),
        null,
      )
  }
  const succeeded = results.filter(({ success }: { success: boolean }) => success).length
  if (Number(answer.headers.get('x-credits-cost')) !== succeeded)
    caller.lane.violated(
      number,
      `${succeeded} calls succeeded, but the charge is ${answer.headers.get('x-credits-cost')}`,
      bytesOf(planned),
      null,
    )
}

async function paidComputation(caller: Caller, number: number, dice: Dice): Promise<void> {
  const endpoint = dice.pick(computations(caller))
  const body = bodyBytes(validBody(endpoint, dice), dice, false)
  const plain = computation('with Idempotency-Key', endpoint, body, caller, number)
  const id = `${caller.name}-${number}`
  const planned = { ...plain, headers: [...plain.headers, ['Idempotency-Key', id] as const] }
  const answer = await caller.lane.send(number, planned, caller.ample)
  if (answer?.status !== 200) return
  caller.paid.push({ id, planned, data: JSON.stringify(answer.body.data) })
  if (caller.paid.length > REMEMBERED) caller.paid.shift()
}

/** Repeats a paid request, or uses its Idempotency-Key for another one. */
async function repetition(caller: Caller, number: number, dice: Dice): Promise<void> {
  if (caller.paid.length === 0) return await paidComputation(caller, number, dice)
  const { data, id, planned } = dice.pick(caller.paid)
  if (dice.oneIn(3)) {
    const endpoint = dice.pick(computations(caller).filter(({ path }) => path !== planned.target))
    const other = computation(
      'another request under a used key',
      endpoint,
      mutatedBody(endpoint, dice),
      caller,
      number,
    )
    const conflict = {
      ...other,
      statuses: [409],
      headers: [...other.headers, ['Idempotency-Key', id] as const],
    }
    await caller.lane.send(number, conflict, caller.ample)
    return
  }
  const answer = await caller.lane.send(
    number,
    { ...planned, kind: 'repetition', statuses: [200, 429] },
    caller.ample,
  )
  if (answer?.status !== 200) return
  const violated = (fault: string) => caller.lane.violated(number, fault, bytesOf(planned), null)
  if (answer.headers.get('idempotent-replayed') !== 'true') violated('a replay has no Idempotent-Replayed')
  if (answer.headers.get('x-credits-cost') !== '0') violated('a replay was charged')
  if (JSON.stringify(answer.body.data) !== data) violated('a replay differs from the first reply')
}

async function unusualHeader(caller: Caller, number: number, dice: Dice): Promise<void> {
  const endpoint = dice.pick(computations(caller))
  const body = dice.oneIn(2) ? bodyBytes(treeOf(endpoint.example), dice, false) : mutatedBody(endpoint, dice)
  let planned = computation('unusual header', endpoint, body, caller, number)
  for (let count = dice.integer(1, 3); count > 0; count--) planned = withUnusualHeader(planned, dice)
  await caller.lane.send(number, planned, usesKeyOf(planned, caller.ample) ? caller.ample : null)
}

/** Node joins repeated X-API-Key headers into one value, which is no valid key. */
const usesKeyOf = ({ headers }: PlannedRequest, { apiKey }: Account): boolean => {
  const keys = headers.filter(([name]) => name.toLowerCase() === 'x-api-key')
  return keys.length === 1 && keys[0][1] === apiKey
}

async function refusedKey(caller: Caller, number: number, dice: Dice): Promise<void> {
  const endpoint = dice.pick(caller.document.endpoints.filter(({ needsKey }) => needsKey))
  const body = endpoint.input === null ? null : mutatedBody(endpoint, dice)
  const refused = dice.oneIn(5) ? { apiKey: null, status: 401 } : dice.pick(caller.refused)
  const planned = request('key that is refused', endpoint, body, refused.apiKey, `${caller.name}-${number}`)
  await caller.lane.send(number, { ...planned, statuses: [refused.status] }, null)
}

async function poorOrLimited(caller: Caller, number: number, dice: Dice): Promise<void> {
  const endpoint = dice.pick(computations(caller))
  const isPoor = dice.oneIn(2)
  const account = isPoor ? caller.poor : caller.limited
  const body = mutatedBody(endpoint, dice)
  const planned = request(
    isPoor ? 'no credits' : 'window used up',
    endpoint,
    body,
    account.apiKey,
    `${caller.name}-${number}`,
  )
  await caller.lane.send(number, { ...planned, statuses: isPoor ? [402] : [200, 400, 422, 429] }, account)
}

/** A body of at least POOLED_BYTES is computed in a worker thread. */
async function pooledComputation(caller: Caller, number: number, dice: Dice): Promise<void> {
  const endpoint = dice.pick(computations(caller))
  const tree = validBody(endpoint, dice)
  if (dice.oneIn(2)) repeatArrays(tree, dice.integer(50, 400))
  if (dice.oneIn(3)) mutate(tree, dice)
  const text = bodyBytes(tree, dice, false).toString()
  const body = Buffer.from(dice.oneIn(2) ? text.padEnd(POOLED_BYTES) : text.padStart(POOLED_BYTES))
  const planned = computation('large computation', endpoint, body, caller, number)
  await caller.lane.send(number, planned, caller.ample, inPieces(dice))
}

async function accountWithKey(caller: Caller, number: number, dice: Dice): Promise<void> {
  const endpoint = dice.pick(caller.document.endpoints.filter((one) => one.needsKey && !one.isComputation))
  const account = caller.member !== null && dice.oneIn(2) ? caller.member : caller.ample
  const body =
    endpoint.input === null ? (dice.oneIn(8) ? Buffer.from('{"a":1}') : null) : mutatedBody(endpoint, dice)
  const planned = request('account with key', endpoint, body, account.apiKey, `${caller.name}-${number}`)
  const query = dice.oneIn(2) || endpoint.query.length > 0 ? unusualQuery(endpoint, dice) : ''
  const answer = await caller.lane.send(number, { ...planned, target: endpoint.path + query }, account)
  if (answer?.status === 200 && endpoint.path === '/user/regenerate-api-key')
    account.apiKey = answer.body.data.api_key
}

async function accountWithoutKey(caller: Caller, number: number, dice: Dice): Promise<void> {
  const open = caller.document.endpoints.filter(({ input, needsKey }) => !needsKey && input !== null)
  // Checking a password takes 30 ms of processor time.
  const endpoint = dice.weighted(
    open.map((one) => ['password' in one.input.properties ? 1 : 8, one] as const),
  )
  const tree = treeOf({ ...endpoint.example, ...ownFields(endpoint, caller.name, dice) })
  if (!dice.oneIn(20)) mutate(tree, dice)
  const planned = request(
    'account without key',
    endpoint,
    bodyBytes(tree, dice, true),
    null,
    `${caller.name}-${number}`,
  )
  await caller.lane.send(number, planned, null)
}

/** Uses few e-mail addresses, so that the limits per address are reached. */
function ownFields({ input }: Endpoint, name: string, dice: Dice): Record<string, string> {
  const fields: Record<string, string> = {}
  if ('email' in input.properties) fields.email = `${name}-${dice.integer(0, 2)}@example.org`
  if ('password' in input.properties) fields.password = `${PASSWORD_MARK} ${dice.integer(0, 9)}`
  return fields
}

const PAGES = ['/', '/docs', '/openapi.json', '/assets/search.json']

async function serviceOrUnknown(caller: Caller, number: number, dice: Dice): Promise<void> {
  const id = `${caller.name}-${number}`
  const send = (planned: Omit<PlannedRequest, 'body' | 'headers'>) =>
    caller.lane.send(number, { ...planned, headers: [['X-Request-Id', id]], body: null }, null)
  const service = caller.document.endpoints.filter(({ input, needsKey }) => !needsKey && input === null)
  const endpoint = dice.pick(caller.document.endpoints)
  await dice.weighted<() => Promise<Answer | null>>([
    [
      3,
      () => {
        const one = dice.pick(service)
        const target = one.path + unusualQuery(one, dice)
        return send({
          kind: 'service',
          endpoint: one,
          method: dice.oneIn(4) ? 'HEAD' : 'GET',
          target,
          // These endpoints take no query parameters; a query without a letter or digit may be read as empty.
          statuses: /\?.*\w/.test(target) ? [422] : [200, 422],
        })
      },
    ],
    [
      1,
      () => send({ kind: 'page', endpoint: null, method: 'GET', target: dice.pick(PAGES), statuses: [200] }),
    ],
    [
      2,
      () => {
        const method = dice.pick([
          'PUT',
          'DELETE',
          'PATCH',
          'OPTIONS',
          'TRACE',
          endpoint.method === 'GET' ? 'POST' : 'GET',
        ])
        return send({
          kind: 'other method',
          endpoint: null,
          method,
          target: endpoint.path,
          statuses: [405, ...(method === 'TRACE' ? [404] : [])],
        })
      },
    ],
    [
      2,
      () =>
        send({
          kind: 'unknown path',
          endpoint: null,
          method: dice.pick(['GET', 'POST', 'HEAD']),
          target: dice.pick(odd.unknownPaths),
          statuses: [404],
        }),
    ],
  ])()
}

async function rawBytes(caller: Caller, number: number, dice: Dice): Promise<void> {
  const endpoint = dice.pick(computations(caller))
  const body = bodyBytes(validBody(endpoint, dice), dice, false)
  const request = bytesOf(computation('', endpoint, body, { ...caller, ample: caller.rough }, number))
  await caller.lane.sendRaw(number, rawRequest(request, dice), caller.rough)
}

const computation = (
  kind: string,
  endpoint: Endpoint,
  body: Buffer,
  { ample, name }: Caller,
  number: number,
): PlannedRequest => ({
  ...request(kind, endpoint, body, ample.apiKey, `${name}-${number}`),
  // A value out of range fails its row alone, and a body that does not fit its call of a batch.
  statuses: {
    fits: [200, 422],
    misfits: endpoint.isColumns || endpoint.isBatch ? [200, 422] : [422],
    unparseable: [400],
  }[classOf(endpoint, body)],
})

function request(
  kind: string,
  endpoint: Endpoint,
  body: Buffer | null,
  apiKey: string | null,
  id: string,
): PlannedRequest {
  const headers: (readonly [string, string])[] = [['X-Request-Id', id]]
  if (apiKey !== null) headers.push(['X-API-Key', apiKey])
  if (body !== null) headers.push(['Content-Type', 'application/json'])
  return { kind, endpoint, method: endpoint.method, target: endpoint.path, headers, body, statuses: null }
}

const inPieces = (dice: Dice) =>
  dice.oneIn(8)
    ? (bytes: Buffer) => {
        const at = dice.integer(1, bytes.length - 1)
        return [bytes.subarray(0, at), bytes.subarray(at)]
      }
    : undefined

const MOST_DEPTH = 32

/** Classifies a body by its endpoint's schema, without the service's code. */
function classOf(endpoint: Endpoint | null, body: Buffer): 'fits' | 'misfits' | 'unparseable' {
  const text = body.toString()
  if (text === '') return 'misfits'
  if (!Buffer.from(text).equals(body) || depthOf(text) > MOST_DEPTH) return 'unparseable'
  try {
    const value = JSON.parse(text)
    return endpoint === null || endpoint.takes(value) ? 'fits' : 'misfits'
  } catch {
    return 'unparseable'
  }
}

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[{]|[\]}]/gs)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth)
    else if (token === ']' || token === '}') depth -= 1
  }
  return deepest
}
