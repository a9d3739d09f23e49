/** The other generated files of the Python client: its version, an error per failure code, and the replies about an account. */

import { capitalised, describe, type Sources } from '../../src/derive/documented-endpoints.ts'
import { pythonValue } from '../../src/derive/request-code.ts'
import { type JsonSchema, plain } from '../../src/derive/schemas.ts'
import { className, HEADING, sentenceOf, wrapped } from './python-text.ts'

/** quantd/version.py: the version of the service. */
export const pythonVersion = ({ version }: Sources): string =>
  `"""The version of the service that the package belongs to, ${HEADING}\nVERSION = ${pythonValue(version)}\n`

/** The class of a failure code, under a name that Python does not use itself. */
const failureName = (code: string): string => {
  const name = `${className(code)}Error`
  return name === 'NotImplementedError' ? `Quantd${name}` : name
}

/** quantd/failures.py: an exception class per failure code. */
export function pythonFailures({ failures }: Sources): string {
  const named = Object.entries(failures).map(([code, rule]) => ({ ...rule, code, name: failureName(code) }))
  const lines = (text: (one: (typeof named)[number]) => string) =>
    named.map((one) => `    ${text(one)},\n`).join('')
  return [
    `"""An exception for each failure code of the service, in order of precedence, ${HEADING}`,
    'from __future__ import annotations\n',
    'from typing import Dict, Type\n',
    'from .errors import QuantdError\n',
    `__all__ = [\n${lines(({ name }) => pythonValue(name))}]\n\n`,
    ...named.map(
      ({ code, name, status, title }) =>
        `class ${name}(QuantdError):\n    """${title} (status ${status})."""\n\n    code = ${pythonValue(code)}\n\n`,
    ),
    `BY_CODE: Dict[str, Type[QuantdError]] = {\n${lines(({ code, name }) => `${pythonValue(code)}: ${name}`)}}\n`,
  ].join('\n')
}

/** quantd/records.py: the replies of the queries about an account, as dictionaries. */
export function pythonRecords(sources: Sources): string {
  const classes: string[] = []
  for (const { area, id, method, output } of describe(sources))
    if (method === 'GET' && area !== 'Service') typeOf(plain(output), id.replace(/^user/, ''), classes)
  return [
    `"""Replies about an account, ${HEADING}`,
    'from __future__ import annotations\n',
    'from typing import Dict, List, Literal, Optional, TypedDict\n\n',
    classes.join('\n\n'),
  ].join('\n')
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
}

/** The Python type of a reply. Objects become classes, which are appended to `classes`. */
function typeOf(schema: JsonSchema, name: string, classes: string[]): string {
  if (schema.enum) return `Literal[${schema.enum.map(pythonValue).join(', ')}]`
  if (schema.type === 'array') return `List[${typeOf(schema.items ?? {}, name.replace(/s$/, ''), classes)}]`
  if (schema.type === 'object' && Object.keys(schema.properties ?? {}).length === 0)
    return 'Dict[str, object]'
  if (schema.type === 'object') return classOf(name, '', [schema.properties ?? {}], classes)
  if (schema.anyOf?.every(({ type }) => type === 'object')) return eitherOf(schema.anyOf, name, classes)
  const [one, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (one !== undefined && others.length === 0) return `Optional[${typeOf(one, name, classes)}]`
  return TYPES[schema.type ?? ''] ?? 'object'
}

type Properties = Readonly<Record<string, JsonSchema>>

/** One class for objects of several shapes: only properties that all shapes have are always present. */
function eitherOf(shapes: readonly JsonSchema[], name: string, classes: string[]): string {
  const properties = shapes.map((shape) => shape.properties ?? {})
  const isAlways = (key: string) => properties.every((one) => key in one)
  const some = (wanted: boolean) =>
    properties.map((one) =>
      Object.fromEntries(Object.entries(one).filter(([key]) => isAlways(key) === wanted)),
    )
  return classOf(name, classOf(`${name}Always`, '', some(true), classes), some(false), classes)
}

/** @param base the class with the properties that are always present, or '' */
function classOf(name: string, base: string, shapes: readonly Properties[], classes: string[]): string {
  const title = capitalised(name)
  const byKey = new Map<string, JsonSchema[]>()
  for (const [key, schema] of shapes.flatMap(Object.entries<JsonSchema>))
    byKey.set(key, [...(byKey.get(key) ?? []), schema])
  const lines = [...byKey].map(([key, [schema, ...others]]) => {
    const merged = others.length > 0 && schema!.enum ? { ...schema, enum: unique(schema!, others) } : schema!
    const type = typeOf(merged, `${name}${className(key)}`, classes)
    const { enum: _, ...described } = merged
    return `${wrapped(sentenceOf(described), '    #: ')}\n    ${key}: ${type}\n`
  })
  classes.push(`class ${title}(${base === '' ? 'TypedDict' : `${base}, total=False`}):\n${lines.join('')}`)
  return title
}

const unique = (schema: JsonSchema, others: readonly JsonSchema[]): unknown[] => [
  ...new Set([schema, ...others].flatMap((one) => one.enum ?? [])),
]
