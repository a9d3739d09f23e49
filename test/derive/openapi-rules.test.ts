/** Rules of Redocly's recommended set and of Spectral's set for OpenAPI that the documents could break. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openapi } from '../../src/derive/openapi.ts'
import { operatorOpenapi } from '../../src/derive/operator-openapi.ts'
import { operatorActs, sources } from '../../src/derive/sources.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
type Json = any

const ofOperators = operatorOpenapi(operatorActs, sources.failures, sources.version)
for (const [name, made] of [
  ['callers', openapi(sources)],
  ['operators', ofOperators],
] as const)
  describe(`the document of ${name}`, () => rules(JSON.parse(JSON.stringify(made))))

function rules(document: Json): void {
  const operations: [string, Json][] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods as Json).map((operation): [string, Json] => [path, operation]),
  )

  const follow = (value: Json): Json =>
    value?.$ref === undefined
      ? value
      : value.$ref
          .slice(2)
          .split('/')
          .reduce((at: Json, key: string) => at[key], document)

  test('the document names a contact and a licence, and describes each tag', () => {
    assert.ok(document.info.contact && document.info.license && document.info.description)
    for (const { name, description } of document.tags) assert.match(description, /\w/, name)
  })

  test('each operation has an id of its own, a description, a tag of the list, and a success', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    assert.equal(new Set(ids).size, ids.length)
    const tags = new Set(document.tags.map(({ name }: Json) => name))
    for (const [path, operation] of operations) {
      assert.ok(operation.summary && operation.description && (operation.security ?? document.security), path)
      assert.ok(
        operation.tags.every((tag: string) => tags.has(tag)),
        path,
      )
      assert.ok(operation.responses['200'], path)
      assert.ok(
        Object.keys(operation.responses).some((status) => status.startsWith('4')),
        path,
      )
    }
  })

  test('each component is used', () => {
    const text = JSON.stringify(document)
    for (const kind of ['schemas', 'responses', 'headers', 'parameters', 'examples'])
      for (const name of Object.keys(document.components[kind] ?? {}))
        assert.ok(text.includes(`{"$ref":"#/components/${kind}/${name}"`), `${kind}/${name}`)
  })

  test('no pattern needs the Unicode flag, which most validators do not set', () => {
    assert.doesNotMatch(JSON.stringify(document), /"pattern":"[^"]*\\\\[pP]\{/)
  })

  test('examples have declared fields only, also where a validator closes every object', () => {
    for (const [path, { requestBody, responses }] of operations)
      for (const place of [requestBody, ...Object.values(responses)]) {
        const media = follow(place)?.content?.['application/json']
        if (media === undefined) continue
        const examples = media.examples
          ? Object.values(media.examples).map((one) => follow(one).value)
          : [media.example]
        for (const example of examples) assert.deepEqual(undeclared(example, media.schema, path), [])
      }
  })

  /** Paths of the fields that a schema, closed by default, does not declare. */
  function undeclared(value: Json, given: Json, path: string): string[] {
    const schema = follow(given)
    if (schema.allOf) return schema.allOf.flatMap((one: Json) => undeclared(value, one, path))
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) {
      const found = choices.map((one: Json) => undeclared(value, one, path))
      return found.some((faults: string[]) => faults.length === 0) ? [] : found[0]
    }
    if (Array.isArray(value))
      return value.flatMap((item, i) => undeclared(item, schema.items ?? {}, `${path}/${i}`))
    if (typeof value !== 'object' || value === null || schema.additionalProperties === true) return []
    return Object.entries(value).flatMap(([name, inner]) => {
      const field = schema.properties?.[name]
      return field === undefined ? [`${path}/${name}`] : undeclared(inner, field, `${path}/${name}`)
    })
  }
}
