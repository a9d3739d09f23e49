/** The OpenAPI document is complete, consistent, and agrees with the declarations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/schema'
import { EXPIRED_GUEST_KEY, INVALID_KEY } from '../../src/base/errors/requests.ts'
import { failures } from '../../src/base/failure.ts'
import { failureMessages } from '../../src/derive/general-rules.ts'
import { openapi, openapiText } from '../../src/derive/openapi.ts'
import { sources } from '../../src/derive/sources.ts'

// biome-ignore lint/suspicious/noExplicitAny: the test walks an arbitrary JSON document
type Json = any
const document: Json = JSON.parse(JSON.stringify(openapi(sources)))

const resolve = ($ref: string): Json =>
  $ref
    .slice(2)
    .split('/')
    .reduce((inner, name) => inner[name], document)

const follow = (value: Json): Json => (value?.$ref === undefined ? value : resolve(value.$ref))

function* refsIn(value: Json): Generator<string> {
  if (value === null || typeof value !== 'object') return
  if (typeof value.$ref === 'string') yield value.$ref
  for (const inner of Object.values(value)) yield* refsIn(inner)
}

const described: Json[] = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]) => ({ path, method, ...operation })),
)

test('it contains every computation and account endpoint, and nothing else', () => {
  const expected = [
    ...sources.operations.map(({ path }) => `post ${path}`),
    ...sources.endpoints.map(({ method, path }) => `${method.toLowerCase()} ${path}`),
  ]
  assert.deepEqual(
    described.map(({ method, path }) => `${method} ${path}`),
    expected,
  )
})

test('a query parameter is required where the endpoint needs it', () => {
  const required = described.flatMap(({ parameters, path }) =>
    parameters
      .map(follow)
      .filter((one: Json) => one.required)
      .map(({ name }: Json) => `${path} ${name}`),
  )
  assert.deepEqual(required, ['/user/receipt request_id'])
})

test('every $ref resolves', () => {
  const refs = [...refsIn(document)]
  assert.ok(refs.length > 100)
  for (const ref of refs) assert.notEqual(resolve(ref), undefined, ref)
})

test('operation ids are valid as method names', () => {
  const ids = described.map(({ operationId }) => operationId)
  for (const id of ids) assert.match(id, /^[a-z][A-Za-z0-9]*$/)
  assert.ok(ids.includes('economicsUtilityLog'))
})

test('the example of every request and success matches its schema', () => {
  for (const { operationId, requestBody, responses } of described) {
    for (const holder of [requestBody, responses['200']].filter((one) => one !== undefined)) {
      const { schema, example } = holder.content['application/json']
      const check = Compile(schemaWithParts(schema))
      assert.ok(check.Check(example), `${operationId}: ${JSON.stringify(check.Errors(example))}`)
    }
  }
})

test('the example of every failure matches the schema of its response', () => {
  for (const [name, response] of Object.entries<Json>(document.components.responses)) {
    const { schema, examples } = response.content['application/json']
    const check = Compile(schemaWithParts(schema))
    for (const example of Object.values<Json>(examples))
      assert.ok(
        check.Check(follow(example).value),
        `${name}: ${JSON.stringify(check.Errors(follow(example).value))}`,
      )
  }
})

/** The schema with every $ref replaced by its target, for a validator. */
const schemaWithParts = (schema: Json): Json =>
  JSON.parse(
    JSON.stringify(schema, (_, value) => (typeof value?.$ref === 'string' ? resolve(value.$ref) : value)),
  )

test('every failure code has an example with a message, and the two fixed messages are exact', () => {
  const { examples } = document.components
  // The others come from the connection or the router, not from an endpoint; the reference shows them.
  const others = [
    'request_timeout',
    'headers_too_large',
    'not_implemented',
    'route_not_found',
    'method_not_allowed',
    'token_invalid',
    'sign_on_failed',
    'role_forbidden',
    'second_person_needed',
  ]
  assert.deepEqual([...others, ...Object.keys(examples)].sort(), Object.keys(failures).sort())
  for (const code of others) assert.match(failureMessages[code], /^\w.{10,}/)
  for (const [code, { value }] of Object.entries<Json>(examples)) {
    assert.equal(value.error.code, code)
    assert.match(value.message, /^\w.{10,}/)
  }
  assert.equal(examples.api_key_missing.value.message, INVALID_KEY)
  assert.equal(examples.api_key_invalid.value.message, INVALID_KEY)
  assert.equal(examples.guest_key_expired.value.message, EXPIRED_GUEST_KEY)
})

test('each status lists the failure codes that the table assigns to it', () => {
  for (const { responses } of described)
    for (const [status, reference] of Object.entries<Json>(responses)) {
      if (status === '200') continue
      const codes = follow(reference).content['application/json'].schema.allOf[1].properties.error.properties
        .code.enum as (keyof typeof failures)[]
      assert.ok(codes.length > 0)
      for (const code of codes) assert.equal(String(failures[code].status), status)
    }
})

test('the body of a call in a batch has the schema of the operation at its path', () => {
  const { schema } = document.paths['/quantlib/batch'].post.requestBody.content['application/json']
  const check = Compile(schemaWithParts(schema))
  const isValid = (path: string, body: unknown) => check.Check({ calls: [{ path, body }] })
  const single = sources.operations.filter(({ path }) => !/\/(batch|columns)$/.test(path))
  assert.ok(single.length > 10)
  for (const { path, example } of single) assert.ok(isValid(path, example.input), path)
  const [LOG, DERIVATIVE] = [
    '/quantlib/economics/utility/log',
    '/quantlib/numerical/differentiation/derivative',
  ]
  for (const body of [{ wealth: -1 }, { wealth: '1' }, { welth: 1 }, {}, { func_name: 'exp', x: 1 }])
    assert.ok(!isValid(LOG, body), JSON.stringify(body))
  assert.ok(isValid(DERIVATIVE, { func_name: 'exp', x: 1 }))
  assert.ok(!isValid('/quantlib/economics/utility', { wealth: 1 }))
})

test('a computation requires a key, refuses unknown fields and documents limits, credits and idempotency', () => {
  for (const { path } of sources.operations) {
    const operation = document.paths[path].post
    assert.deepEqual(operation.security, [{ apiKey: [] }, { bearer: [] }])
    assert.equal(follow(operation.requestBody.content['application/json'].schema).additionalProperties, false)
    assert.deepEqual(Object.keys(operation.responses), [
      '200',
      '400',
      '401',
      '402',
      '403',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ])
    const headers = Object.keys(operation.responses['200'].headers)
    for (const name of ['X-Request-Id', 'RateLimit', 'X-Credits-Cost', 'Idempotent-Replayed'])
      assert.ok(headers.includes(name), name)
    assert.ok(operation.parameters.some((one: Json) => follow(one).name === 'Idempotency-Key'))
    for (const status of ['429', '503'])
      assert.ok('Retry-After' in follow(operation.responses[status]).headers)
  }
})

test('only the endpoints of the specification, recovery and the service itself need no key', () => {
  const open = described.filter(({ security }) => security.length === 0).map(({ path }) => path)
  assert.deepEqual(open, [
    '/guest/create',
    '/user/register',
    '/user/verify-otp',
    '/user/resend-otp',
    '/user/login',
    '/user/forgot-password',
    '/user/reset-password',
    '/healthz',
    '/readyz',
    '/version',
    '/.well-known/quantd-keys.json',
  ])
})

test('every field of a computation has a description, and an optional one a valid default', () => {
  for (const { path } of sources.operations) {
    const schema = follow(document.paths[path].post.requestBody.content['application/json'].schema)
    for (const [name, field] of Object.entries<Json>(schema.properties)) {
      assert.ok(field.description?.length > 3, `${path} ${name}`)
      if (schema.required?.includes(name)) continue
      const [, fallback] = /; default (.*)$/.exec(field.description) ?? []
      assert.ok(fallback !== undefined && Compile(field).Check(JSON.parse(fallback)), `${path} ${name}`)
    }
  }
})

test('a body without required fields is optional', () => {
  assert.equal(document.paths['/user/regenerate-api-key'].post.requestBody.required, false)
  assert.equal(document.paths['/user/login'].post.requestBody.required, true)
})

test('the query of the usage history is described with bounds and default', () => {
  const { parameters } = document.paths['/user/usage'].get
  const limit = parameters.find((one: Json) => one.name === 'limit')
  assert.deepEqual(limit.schema, { type: 'integer', minimum: 1, maximum: 1000, default: 50 })
})

test('no field of a body has the keyword default, by which generators make it a required one: words tell it', () => {
  const fields = described.flatMap(({ path, requestBody }) => {
    const { properties = {} } = follow(requestBody?.content['application/json'].schema) ?? {}
    const inner: Json = properties.columns?.properties ?? {}
    return Object.entries<Json>({ ...properties, ...inner }).map(([name, field]) => ({ path, name, field }))
  })
  assert.ok(
    fields.some(({ field, name }) => name === 'dividend_yield' && /; default 0$/.test(field.description)),
  )
  for (const { field, name, path } of fields) assert.ok(!('default' in field), `${path} ${name}`)
})

test('an item of a column may be null, which fails its row', () => {
  const { columns } = resolve('#/components/schemas/PricingBsPriceColumnsInput').properties
  const [, list] = columns.properties.spot.anyOf
  assert.deepEqual(list.items.anyOf.at(-1), { type: 'null' })
})

test('generators find a type for every body, names that are identifiers, and the webhooks', () => {
  const { responses, schemas } = document.components
  for (const name of Object.keys({ ...responses, ...schemas })) assert.match(name, /^[A-Z][A-Za-z0-9]*$/)
  const isUntyped = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([name, inner]) =>
      name === 'content'
        ? Object.values(inner).some((one) => !('schema' in (one as object)))
        : isUntyped(inner),
    )
  assert.equal(isUntyped(document.paths), false)
  assert.deepEqual(Object.keys(document.webhooks), Object.keys(sources.events))
  for (const [type, { post }] of Object.entries<Json>(document.webhooks)) {
    const { example, schema } = post.requestBody.content['application/json']
    assert.equal(example.type, type)
    assert.equal(schema.properties.data.required.includes('account_id'), !type.startsWith('alert.'), type)
  }
})

test('the document as text is the same document, without indentation and with a line for each path', () => {
  const text = openapiText(document)
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(document)))
  assert.ok(text.length < 1.01 * JSON.stringify(document).length)
  for (const path of Object.keys(document.paths)) assert.match(text, new RegExp(`^"${path}":`, 'm'))
})
