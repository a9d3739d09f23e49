/** The requests of the fuzzer: each action draws one, with the statuses that its reply may have. */

import type { PlainSql } from '../../support/plain-sql.ts'
import { guestAccount } from './accounts.ts'
import { mutatedStream, seedStreams } from './arrow.ts'
import { bodyBytes, mutate, repeatArrays, validBody } from './bodies.ts'
import type { Dice } from './dice.ts'
import { type ApiDocument, ARROW, type Endpoint } from './document.ts'
import { PASSWORD_MARK } from './judge.ts'
import type { Lane } from './lane.ts'
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
  /** Sends raw bytes; how many calls they make is unknown. */
  readonly rough: Account
  /** A registered account; only some lanes have one. */
  readonly member: Account | null
}

/** A caller and its accounts. */
export async function openCaller(
  { document, lane, name }: Pick<Caller, 'document' | 'lane' | 'name'>,
  { member = null, sql, url }: { url: string; sql: PlainSql; member?: Account | null },
): Promise<Caller> {
  const guest = (kind: string) => guestAccount(url, sql, `${name} ${kind}`)
  return { name, lane, document, member, ample: await guest('ample'), rough: await guest('rough') }
}

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
  [8, unusualHeader],
  [0.3, pooledComputation],
  [6, mutatedStreamOf],
  [6, accountWithKey],
  [3, accountWithoutKey],
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
  await caller.lane.send(number, { ...planned, statuses }, caller.ample, inPieces(dice))
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
  await caller.lane.send(number, planned, caller.ample)
}

function mutatedBody(endpoint: Endpoint, dice: Dice): Buffer {
  const tree = validBody(endpoint, dice)
  mutate(tree, dice)
  return bodyBytes(tree, dice, true)
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
  // A value out of range fails only its row of columns, and a body that does not fit only its call of a batch.
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
