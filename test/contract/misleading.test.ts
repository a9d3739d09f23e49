/** Requests that miss their aim by little: the reply says what was sent and what is expected. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { INVALID_KEY } from '../../src/base/errors/requests.ts'
import { OPTION } from '../support/option.ts'
import { useService } from '../support/people.ts'

const PRICE = '/quantlib/pricing/bs/price'

/** The parts of an operation of the OpenAPI document that this test reads. */
interface Declared {
  readonly parameters?: readonly { readonly name: string; readonly in?: string }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: unknown } } }
  readonly responses: object
}

const service = await useService()
const key = await service.guest()
const registered = (await service.person()).key

describe('a missing key', () => {
  for (const [what, path, headers, hint] of [
    ['nowhere', PRICE, {}, 'no key was sent; send it as X-API-Key or bearer token'],
    [
      'in another Authorization',
      PRICE,
      { authorization: 'Basic abc' },
      'the key was sent in the header "Authorization", but not as "Bearer KEY"; send it as X-API-Key or bearer token',
    ],
    ...['X-Api_Key', 'apikey', 'API-Key'].map(
      (name) =>
        [
          `in the header ${name}`,
          PRICE,
          { [name]: 'k' },
          `the key was sent in the header "${name.toLowerCase()}"; send it as X-API-Key or bearer token`,
        ] as const,
    ),
    [
      'in the query',
      `${PRICE}?api_key=k`,
      {},
      'the key was sent in the query parameter "api_key"; send it as X-API-Key or bearer token',
    ],
  ] as const)
    it(`that was sent ${what} keeps the exact message, and the details say so`, async () => {
      const answer = await service.call(path, { body: OPTION, headers })
      assert.equal(answer.status, 401)
      assert.equal(answer.body.error.code, 'api_key_missing')
      assert.equal(answer.body.message, INVALID_KEY)
      assert.deepEqual(answer.body.error.details, [{ path: '', message: hint }])
      assert.ok(!answer.text.includes('aaaa'))
    })
})

describe('a malformed key', () => {
  it('keeps the exact message, and has its hint in the details', async () => {
    for (const [sent, hint] of [
      [`Bearer ${key}`, 'the X-API-Key header must hold the key alone, without "Bearer"'],
      ['nonsense', 'what was sent does not have the format of a key'],
    ] as const) {
      const answer = await service.call(PRICE, { key: sent, body: OPTION })
      assert.equal(answer.body.message, INVALID_KEY)
      assert.deepEqual(answer.body.error.details, [{ path: '', message: hint }])
    }
  })
})

describe('a path that is nearly right', () => {
  for (const [typed, closest] of [
    [`${PRICE}s`, PRICE],
    [`${PRICE}/`, PRICE],
    [`/${PRICE}`, PRICE],
    [PRICE.toUpperCase(), PRICE],
    ['/user/logn', '/user/login'],
    ['/health', '/healthz'],
  ])
    it(`is answered with the closest one: ${typed}`, async () => {
      const answer = await service.call(typed!, { key, body: OPTION })
      assert.equal(answer.status, 404)
      assert.equal(answer.body.message, `There is no ${typed}; did you mean ${closest}?`)
    })

  it('is answered with the way to the list, if none is close or it is too long', async () => {
    const answer = await service.call('/nothing/of/the/kind')
    assert.equal(answer.body.message, 'There is no /nothing/of/the/kind; the endpoints are listed at /docs.')
    const long = await service.call(`/${'a'.repeat(12_000)}`)
    assert.match(long.body.message, /^There is no \/a{199}; the endpoints are listed at \/docs\.$/)
  })
})

describe('an unknown query parameter', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
  const endpoints = Object.entries<Record<string, Declared>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, declared]) => ({ method: method.toUpperCase(), path, declared })),
  )

  for (const { declared, method, path } of endpoints)
    it(`is refused by ${method} ${path}`, async () => {
      const known = (declared.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
      const input = declared.requestBody?.content['application/json'].example
      const answer = await service.call(`${path}?verbose=1`, {
        method,
        key: registered,
        ...(input !== undefined && { body: input }),
      })
      assert.equal(answer.status, 422, answer.text)
      assert.equal(answer.body.error.code, 'invalid_input')
      const takes = known.length === 0 ? 'no query parameters' : `only: ${known.join(', ')}`
      assert.equal(
        answer.body.message,
        `The query parameter "verbose" is not known; this endpoint takes ${takes}.`,
      )
      assert.deepEqual(answer.body.error.details, [
        { path: '/verbose', message: 'is not a query parameter of this endpoint' },
      ])
      assert.ok('422' in declared.responses, 'the refusal is not documented')
    })

  it('may be a question mark', async () => {
    const { body, status } = await service.call('/readyz??')
    assert.deepEqual([status, body.error.details[0].path], [422, '/?'])
    assert.equal((await service.call('/readyz?')).status, 200)
  })

  it('is counted as any other invalid input, and not charged', async () => {
    const own = await service.guest()
    const answer = await service.call(`${PRICE}?verbose=1`, { key: own, body: OPTION })
    assert.equal(answer.headers.get('x-credits-cost'), '0')
    assert.equal(answer.headers.get('x-credits-remaining'), '50')
    assert.match(answer.headers.get('ratelimit')!, /"hour";r=59/)
  })

  it('does not come before the key', async () => {
    const answer = await service.call(`${PRICE}?verbose=1`, { body: OPTION })
    assert.equal(answer.body.error.code, 'api_key_missing')
  })
})
