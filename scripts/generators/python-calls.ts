/** The generated types of a batch's calls in the Python client, which let a type checker derive the body from the path. */

import { type Described, describe, isOperation, type Sources } from '../../src/derive/documented-endpoints.ts'
import { pythonValue } from '../../src/derive/request-code.ts'
import { plain } from '../../src/derive/schemas.ts'
import { type Field, isRequired, parameterType } from './python-client.ts'
import { className, HEADING } from './python-text.ts'

/** quantd/calls.py: a class per operation, and their union. */
export function pythonCalls(sources: Sources): string {
  const operations = describe(sources).filter(isOperation)
  /** The name of the first operation that takes the fields of a body, by these fields. */
  const bodies = new Map<string, string>()
  return [
    `"""The calls that a batch may hold; \`quantd.computations\` describes their fields; ${HEADING}`,
    'from __future__ import annotations\n',
    'from typing import Any, Literal, TypedDict, Union\n\n',
    operations.map((one) => classesOf(one, bodies)).join('\n\n'),
    `\n#: A call of \`Client.batch\`.\nCall = Union[\n${operations.map(({ title }) => `    ${className(title)}Call,\n`).join('')}]\n`,
  ].join('\n')
}

/** The class of an operation's calls, and the classes of its body unless an earlier operation takes the same body. */
function classesOf({ input, path, title }: Described, bodies: Map<string, string>): string {
  const fields = Object.entries(plain(input!).properties ?? {})
  const name = className(title)
  const key = JSON.stringify(fields)
  const first = bodies.get(key)
  bodies.set(key, first ?? name)
  return [
    ...(first === undefined ? bodyClasses(name, fields) : []),
    `class ${name}Call(TypedDict):\n    path: Literal[${pythonValue(path)}]\n    body: ${first ?? name}Body\n`,
  ].join('\n\n')
}

/** The classes of a body: fields with defaults may be missing, which Python expresses with a class of its own. */
function bodyClasses(name: string, fields: readonly Field[]): string[] {
  const optional = fields.filter((field) => !isRequired(field))
  const required = fields.filter(isRequired)
  const own = (bases: string) => typedDict(`${name}Body`, bases, optional)
  if (optional.length === 0) return [typedDict(`${name}Body`, 'TypedDict', required)]
  if (required.length === 0) return [own('TypedDict, total=False')]
  return [typedDict(`${name}Required`, 'TypedDict', required), own(`${name}Required, total=False`)]
}

/** A class of fields, without descriptions: those are at the method of the computation. */
const typedDict = (name: string, bases: string, fields: readonly Field[]): string =>
  `class ${name}(${bases}):\n${fields
    .map(([field, schema]) => `    ${field}: ${parameterType(schema)}\n`)
    .join('')}`
