/** Computations and account endpoints in one common form, which every derived document is made from. */
import type { TSchema } from 'typebox'
import type { Endpoint } from '../compute/catalogue/endpoint.ts'
import type { Operation } from '../compute/catalogue/operation.ts'
import { operationId } from './request-code.ts'

/** The part of an endpoint's declaration that documents use. */
export interface DeclaredEndpoint extends Omit<Endpoint, 'failures' | 'example' | 'path'> {
  readonly path: string
  readonly failures: readonly string[]
  readonly example: { readonly input: object | null; readonly output: unknown }
}

export interface Described extends DeclaredEndpoint {
  /** operationId in OpenAPI, method of the client, anchor in the reference. */
  readonly id: string
  readonly computation: boolean
  /** Whether request and result may be Arrow streams. */
  readonly arrow: boolean
}

/** Code → status, condition and remedy, in order of precedence. */
export type Failures = Readonly<
  Record<string, { readonly status: number; readonly title: string; readonly remedy: string }>
>

/** The part of an operation's declaration that documents use. */
type DeclaredOperation = Pick<Operation, 'path' | 'title' | 'summary' | 'input' | 'output' | 'example'> & {
  readonly arrow?: boolean
}

/** The part of the settings that documents state. */
export interface Offer {
  /** Credits of a new account and of a new guest key. */
  readonly initialCredits: { readonly registered: number; readonly guest: number }
  /** Requests to computations by account type; `day: null` means no daily limit. */
  readonly tiers: Readonly<Record<string, { readonly hour: number; readonly day: number | null }>>
  /** Processor seconds an hour by account type. */
  readonly work: Readonly<Record<string, number>>
  /** Path → credits, for the operations that do not cost 1. */
  readonly costs: Readonly<Record<string, number>>
}

/** The input of every derived document. */
export interface Sources {
  readonly operations: readonly DeclaredOperation[]
  readonly endpoints: readonly DeclaredEndpoint[]
  readonly failures: Failures
  /** Version of the service (semantic versioning). */
  readonly version: string
  readonly offer: Offer
  /** Events of webhooks by type. */
  readonly events: Readonly<
    Record<
      string,
      {
        readonly when: string
        readonly data: TSchema
        readonly example: object
        readonly isOfService?: boolean
      }
    >
  >
}

/** Every endpoint, computations first, with all its possible failures in order of precedence. */
export function describe({ operations, endpoints, failures }: Omit<Sources, 'version'>): Described[] {
  const order = Object.keys(failures)
  return [...operations.map(ofOperation), ...endpoints.map(ofEndpoint)].map((described) => {
    const occurring = new Set([...described.failures, ...followingFailures(described)])
    return { ...described, failures: order.filter((code) => occurring.has(code)) }
  })
}

function ofOperation(operation: DeclaredOperation): Described {
  return {
    id: operationId(operation.path),
    computation: true,
    arrow: operation.arrow ?? false,
    method: 'POST',
    path: operation.path,
    area: area(operation.path),
    title: operation.title,
    summary: operation.summary,
    key: 'any',
    query: null,
    input: operation.input,
    output: operation.output,
    message: null,
    failures: [
      'rate_limited',
      'credits_exhausted',
      'key_cap_exhausted',
      'idempotency_conflict',
      'overloaded',
    ],
    example: operation.example,
  }
}

const ofEndpoint = (endpoint: DeclaredEndpoint): Described => ({
  ...endpoint,
  id: endpoint.id ?? operationId(endpoint.path),
  computation: false,
  arrow: false,
})

/** The failures that follow from needing a key, a body, or a rate limit. */
function followingFailures({ key, input, area }: Described): string[] {
  if (area === 'Service') return ['invalid_input']
  return [
    'invalid_input',
    'rate_limited',
    'unavailable',
    'internal',
    ...(key === 'none'
      ? []
      : ['api_key_missing', 'api_key_invalid', 'account_unverified', 'guest_key_expired', 'key_forbidden']),
    ...(key === 'registered' ? ['guest_forbidden'] : []),
    ...(input === null ? [] : ['body_too_large', 'unsupported_media_type', 'invalid_json']),
  ]
}

export const isBatch = ({ path }: Pick<Described, 'path'>): boolean => path === '/quantlib/batch'
type Counted = Pick<Described, 'computation' | 'path'>
export const isColumns = ({ computation, path }: Counted): boolean => computation && path.endsWith('/columns')
/** A computation that is declared by itself, not the batch or the columns of one. */
export const isOperation = (one: Counted): boolean => one.computation && !isBatch(one) && !isColumns(one)

/** Beginning of a path after /quantlib → the task of its readers, as a heading. */
const AREAS: readonly (readonly [string, string])[] = [
  ['pricing', 'Options'],
  ['models', 'Options'],
  ['ml/credit', 'Credit risk'],
  ['ml', 'Data quality'],
  ['numerical', 'Mathematics'],
  ['economics', 'Mathematics'],
  ['physics', 'Mathematics'],
]

function area(path: string): string {
  const below = path.replace('/quantlib/', '')
  return AREAS.find(([beginning]) => below.startsWith(`${beginning}/`))?.[1] ?? capitalised(below)
}

export const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** `Black–Scholes price` → `black_scholes_price`. */
export const snakeCase = (title: string): string => wordsOf(title).join('_')

export const wordsOf = (title: string): string[] =>
  title
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
