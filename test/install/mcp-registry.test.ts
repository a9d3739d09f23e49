/**
 * The entry of the MCP registry, checked by the rules of its schema of 2025-12-11, restated here with only the properties that
 * exist, and by what an installation has.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { registryEntry, registryName } from '../../scripts/mcp-registry.ts'

const exact = { additionalProperties: false }
const url = Type.String({ pattern: '^https?://\\S+$' })
const input = {
  description: Type.Optional(Type.String()),
  isRequired: Type.Optional(Type.Boolean()),
  isSecret: Type.Optional(Type.Boolean()),
  format: Type.Optional(Type.Enum(['string', 'number', 'boolean', 'filepath'])),
  value: Type.Optional(Type.String()),
  default: Type.Optional(Type.String()),
  placeholder: Type.Optional(Type.String()),
  choices: Type.Optional(Type.Array(Type.String())),
}
/** A version, not a range. */
const version = Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$', maxLength: 255 })

const SERVER = Type.Object(
  {
    $schema: Type.Literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
    name: Type.String({ pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$', minLength: 3, maxLength: 200 }),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    description: Type.String({ minLength: 1, maxLength: 100 }),
    version,
    repository: Type.Optional(Type.Object({ url, source: Type.String() }, exact)),
    packages: Type.Array(
      Type.Object(
        {
          registryType: Type.Enum(['npm', 'pypi', 'oci', 'nuget', 'mcpb']),
          identifier: Type.String({ minLength: 1 }),
          version,
          runtimeHint: Type.Optional(Type.String()),
          transport: Type.Object({ type: Type.Literal('stdio') }, exact),
          packageArguments: Type.Optional(
            Type.Array(
              Type.Object({ ...input, type: Type.Literal('positional'), value: Type.String() }, exact),
            ),
          ),
          environmentVariables: Type.Optional(
            Type.Array(Type.Object({ ...input, name: Type.String() }, exact)),
          ),
        },
        exact,
      ),
    ),
  },
  exact,
)

const root = resolve(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const REPOSITORY = 'https://github.com/ada/quantd'
const entry = registryEntry('io.github.ada/quantd', manifest.version, REPOSITORY)

describe('the entry of the MCP registry', () => {
  it('follows the schema, which finds a misspelt property, a long description and a range of versions', () => {
    assert.deepEqual([...Value.Errors(SERVER, entry)], [])
    for (const wrong of [
      { ...entry, descriptions: 'x' },
      { ...entry, description: 'x'.repeat(101) },
      { ...entry, version: '^1.2.3' },
      { ...entry, packages: [{ ...entry.packages[0], transport: { type: 'http' } }] },
    ])
      assert.equal(Value.Check(SERVER, wrong), false)
  })

  it('is named by the repository at GitHub, as the npm package is', () => {
    assert.equal(registryName(REPOSITORY), entry.name)
    for (const other of [undefined, 'https://forge.example/ada/quantd', 'https://github.com/ada'])
      assert.equal(registryName(other), null)
  })

  it('starts the command of the package, with the settings that the command reads', () => {
    const [{ environmentVariables, identifier, packageArguments }] = entry.packages
    assert.deepEqual([identifier, packageArguments[0].value], [manifest.name, 'mcp'])
    assert.ok(Object.hasOwn(manifest.bin, identifier))
    const settings = readFileSync(join(root, 'src/app/config/read-config.ts'), 'utf8')
    for (const { name } of environmentVariables) assert.ok(settings.includes(`environment.${name}`), name)
  })
})
