/** The generated methods of the Python client: one per operation, with types and doc strings. */

import {
  type Described,
  describe,
  isOperation,
  type Sources,
  snakeCase,
} from '../../src/derive/documented-endpoints.ts'
import { pythonValue } from '../../src/derive/request-code.ts'
import { type JsonSchema, plain } from '../../src/derive/schemas.ts'
import { className, HEADING, sentenceOf, tuple, wrapped } from './python-text.ts'

interface Output {
  readonly name: string
  readonly schema: JsonSchema
  readonly isAlways: boolean
  /** The kind of an `Output` in quantd/tables.py. */
  readonly per: 'number' | 'value' | 'row' | 'record' | 'position' | 'matrix'
}

interface Method {
  readonly name: string
  /** The class of results with more than one output. */
  readonly record: string
  readonly described: Described
  /** Required arrays first, then other required fields. */
  readonly fields: readonly Field[]
  readonly outputs: readonly Output[]
  /** Whether each input is a number or a word, so that the method takes rows. */
  readonly isByRow: boolean
  /** Whether an input is a list of objects. */
  readonly isByRecord: boolean
  /** Whether required arrays hold texts: the columns of a history. */
  readonly isByHistory: boolean
  /** Whether the input arrays are observations, of which the client may leave out rows. */
  readonly isByObservation: boolean
}

export type Field = readonly [name: string, schema: JsonSchema]

/** quantd/computations.py: the methods, which also send columns, and the classes of results with more than one output. */
export function pythonComputations(sources: Sources): string {
  const methods = describe(sources).filter(isOperation).map(methodOf)
  const records = methods.filter(({ outputs }) => outputs.length > 1)
  return [
    `"""The computations of the service as methods, ${HEADING}`,
    'from __future__ import annotations\n',
    'from typing import Any, List, Literal, NamedTuple, Optional, Sequence, Union, overload\n',
    'from .histories import by_history',
    'from .names import also_named',
    'from .observations import by_observation',
    'from .rows import by_rows',
    'from .sender import Sender',
    'from .tables import Output, by_records, by_table\n',
    `__all__ = [\n${records.map(({ record }) => `    "${record}",\n`).join('')}]\n\n`,
    `${records.map(recordText).join('\n\n')}\n`,
    `class Computations(Sender):\n    """One method per operation."""\n\n${methods.map(methodText).join('\n')}`,
  ].join('\n')
}

/** quantd/async_computations.pyi: the types of the coroutines, which take and return what the methods do. */
export function pythonCoroutines(sources: Sources): string {
  const methods = describe(sources).filter(isOperation).map(methodOf)
  const records = methods.filter(({ outputs }) => outputs.length > 1)
  const run =
    '    async def _run(\n        self, method: Callable[Concatenate[Client, Given], Result], *values: Given.args, **given: Given.kwargs\n    ) -> Result: ...\n'
  return [
    `"""The types of the computations as coroutines, ${HEADING}`,
    'from concurrent.futures import ThreadPoolExecutor',
    'from typing import Any, Callable, Concatenate, List, Literal, Optional, ParamSpec, Sequence, TypeVar, Union, overload\n',
    'from .client import Client',
    `from .computations import (\n${records.map(({ record }) => `    ${record},\n`).join('')})\n`,
    'Given = ParamSpec("Given")\nResult = TypeVar("Result")\n\n',
    `class AsyncComputations:\n    _client: Client\n    _threads: ThreadPoolExecutor\n\n${run}`,
    methods.map(coroutineText).join('\n'),
  ].join('\n')
}

function coroutineText(method: Method): string {
  const forms = formsOf(method)
  const overload = forms.length > 1 ? '    @overload\n' : ''
  return forms.map((given) => `${overload}    async ${head(method, given).trimStart()} ...\n`).join('')
}

/** A short description of each method, for a document. */
export const pythonMethods = (sources: Sources) =>
  describe(sources)
    .filter(isOperation)
    .map(methodOf)
    .map(({ fields, isByRow, name, outputs }) => {
      const required = fields.filter(isRequired)
      const several = `a tuple of ${inWords.format(new Set(outputs.map(({ per }) => KINDS[per])))}`
      return {
        call: isByRow
          ? name
          : `${name}(${required.map((field) => field[0] + (isArray(field) ? '' : '=…')).join(', ')})`,
        takes: isByRow ? 'rows' : required.filter(isArray).map(arrayInWords).join(' and '),
        returns: isByRow ? plural(outputs.length) : outputs.length === 1 ? ONE[outputs[0].per] : several,
      }
    })

const inWords = new Intl.ListFormat('en-GB')
const plural = (columns: number): string => (columns === 1 ? 'one column' : `${columns} columns`)
const KINDS = {
  number: 'numbers',
  value: 'other values',
  row: 'values per row',
  record: 'records',
  position: 'positions',
  matrix: 'matrices',
} as const
const ONE = { ...KINDS, number: 'a number', value: 'a value', matrix: 'a matrix' } as const
const arrayInWords = (field: Field): string =>
  isRecords(field) || field[1].items?.type === 'array' ? 'a table' : 'a vector'

function methodOf(described: Described): Method {
  const fields = Object.entries(plain(described.input!).properties ?? {})
  const isRepeated = (name: string, type: string) =>
    fields.some(([field, schema]) => field === name && schema.type === type)
  const arrays = fields.filter(isArray)
  // A reply repeats some fields of the request.
  const { properties = {}, required = [] } = plain(described.output)
  const outputs = Object.entries(properties)
    .filter(([name, { type }]) => type !== undefined && !isRepeated(name, type))
    .map(([name, schema]) => ({ name, schema, isAlways: required.includes(name), per: per(name, schema) }))
  return {
    name: snakeCase(described.title),
    record: className(described.title),
    described,
    fields: [
      ...arrays.filter(isRequired),
      ...fields.filter((field) => isRequired(field) && !isArray(field)),
      ...fields.filter((field) => !isRequired(field)),
    ],
    outputs,
    isByRow: !fields.some(isArray),
    isByRecord: arrays.some(isRecords),
    isByHistory: arrays.some((field) => isRequired(field) && field[1].items?.type === 'string'),
    isByObservation:
      arrays.every(isRequired) &&
      !arrays.some(isRecords) &&
      (arrays.length > 1 || outputs.some(({ per }) => per === 'row')),
  }
}

/** The letters of formulas, and the words that other operations have for them: a method takes both. */
const LETTERS: Readonly<Record<string, string>> = {
  S: 'spot',
  F: 'forward',
  K: 'strike',
  T: 'time_to_maturity',
  r: 'risk_free_rate',
  q: 'dividend_yield',
  sigma: 'volatility',
}
const WORDS = Object.fromEntries(Object.entries(LETTERS).map(([letter, word]) => [word, letter]))
const otherName = (name: string): string => LETTERS[name] ?? WORDS[name] ?? name

export const isRequired = ([, { default: value }]: Field): boolean => value === undefined
const isRecords = ([, { items }]: Field): boolean => items?.type === 'object'
/** Names of the columns of a matrix are no data: the client takes them from a data frame. */
const isArray = (field: Field): boolean => field[1].type === 'array' && !isNames(field)
const isNames = ([name]: Field): boolean => name === 'columns'

function per(name: string, { items, type }: JsonSchema): Output['per'] {
  if (type !== 'array') return type === 'number' || type === 'integer' ? 'number' : 'value'
  if (items?.type === 'array') return 'matrix'
  if (items?.type === 'object') return 'record'
  return name.endsWith('_indices') ? 'position' : 'row'
}

const recordText = ({ name, outputs, record }: Method): string =>
  [
    `class ${record}(NamedTuple):\n    """Result of \`Computations.${name}\`, which describes its fields."""\n`,
    ...outputs.map((output) => `    ${output.name}: ${resultType(output)}`),
    '',
  ].join('\n')

function resultType({ isAlways, per, schema }: Output): string {
  const type = per === 'number' ? 'float' : per === 'value' && schema.type === 'string' ? 'str' : 'Any'
  return isAlways || type === 'Any' ? type : `Optional[${type}]`
}

function methodText(method: Method): string {
  const { isByRow } = method
  const forms = formsOf(method)
  const names = othersOf(method).map(([field]) => `${otherName(field)}=${pythonValue(field)}`)
  return [
    ...(forms.length > 1 ? forms.map((given) => `    @overload\n${head(method, given)} ...\n\n`) : []),
    names.length > 0 ? `    @also_named(${names.join(', ')})\n` : '',
    head(method, isByRow ? 'arrays' : 'scalars'),
    `\n${docString(method)}${body(method, returned(method, isByRow ? 'arrays' : 'scalars'))}`,
  ].join('')
}

/** The forms of a method's arguments that have results of their own types. */
function formsOf(method: Method): readonly Given[] {
  const { isByRow, outputs } = method
  return [
    'scalars',
    // Lists give lists; arrays and series, whose libraries may not be installed, give values of their own type.
    ...(isByRow && outputs.length === 1 ? (['lists'] as const) : []),
    ...(isByRow ? (['arrays'] as const) : []),
    ...(othersOf(method).length > 0 ? (['renamed'] as const) : []),
  ]
}

const othersOf = ({ fields }: Method): readonly Field[] => fields.filter(([name]) => otherName(name) !== name)

/** The head of a method. Callers get the first overload that fits; mypy would report that the overloads overlap. */
function head(method: Method, given: Given): string {
  const overlaps = given === 'scalars' && formsOf(method).includes('lists')
  const ignored = overlaps ? '  # type: ignore' : ''
  return `    def ${method.name}(${ignored}\n${parameters(method, given)}    ) -> ${returned(method, given)}:`
}

function returned({ isByRow, outputs, record }: Method, given: Given): string {
  if (given === 'scalars' || !isByRow) return outputs.length === 1 ? resultType(outputs[0]) : record
  return given === 'lists' ? 'List[float]' : 'Any'
}

/** The form in which the rows of a computation are given; renamed: any form, under the other names of the arguments. */
type Given = 'scalars' | 'lists' | 'arrays' | 'renamed'

/** Arrays, and the only required field, may be passed by position; all other arguments must be named. */
function parameters({ fields }: Method, given: Given): string {
  const required = fields.filter(isRequired)
  const positional = required.length === 1 ? 1 : required.filter(isArray).length
  const lines = fields.map(([name, schema]) => {
    const fallback = schema.default === undefined ? '' : ` = ${defaultOf(schema)}`
    const types = { scalars: parameterType(schema), lists: listType(schema), arrays: 'Any', renamed: 'Any' }
    return `        ${given === 'renamed' ? otherName(name) : name}: ${types[given]}${fallback},\n`
  })
  const star = positional < fields.length ? ['        *,\n'] : []
  return ['        self,\n', ...lines.slice(0, positional), ...star, ...lines.slice(positional)].join('')
}

/** A default in Python; a tuple instead of a list, which all calls would share. */
const defaultOf = ({ default: value, type }: JsonSchema): string =>
  type === 'array' ? tuple((value as unknown[]).map(pythonValue)) : pythonValue(value)

export function parameterType({ enum: choices, type }: JsonSchema): string {
  if (choices !== undefined) return `Literal[${choices.map(pythonValue).join(', ')}]`
  if (type === 'integer') return 'int'
  if (type === 'boolean') return 'bool'
  if (type === 'string') return 'str'
  return type === 'number' ? 'Union[int, float]' : 'Any'
}

const listType = (schema: JsonSchema): string =>
  `Union[${parameterType(schema)}, Sequence[${schema.enum === undefined ? 'float' : 'str'}]]`

function body(method: Method, result: string): string {
  const { described, fields, isByHistory, isByObservation, isByRecord, isByRow, outputs, record } = method
  const given = (chosen: readonly Field[]) => `{${chosen.map(([name]) => `"${name}": ${name}`).join(', ')}}`
  const names = outputs.map(({ name, per }) => (isByRow ? pythonValue(name) : `Output("${name}", "${per}")`))
  const lines = [
    'self',
    pythonValue(described.path),
    ...(isByRow
      ? [given(fields)]
      : [given(fields.filter(isArray)), given(fields.filter((field) => !isArray(field)))]),
    tuple(names),
    ...(outputs.length > 1 ? [record] : []),
  ]
  const name = isByRow
    ? 'by_rows'
    : isByRecord
      ? 'by_records'
      : isByHistory
        ? 'by_history'
        : isByObservation
          ? 'by_observation'
          : 'by_table'
  const call = `${name}(\n${lines.map((line) => `            ${line},\n`).join('')}        )`
  return result === 'Any'
    ? `        return ${call}\n`
    : `        result: ${result} = ${call}\n        return result\n`
}

/** Names of columns, with the default that the client gives them. */
const ofFrame = ({ description, default: _, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  description: `${description}; default: those of a DataFrame, unless pandas has numbered them`,
})

/** The doc string of a method; facts that hold for every method are in that of the client. */
function docString({ described: { path, summary, title }, fields, outputs }: Method): string {
  const indent = '        '
  const item = (name: string, schema: JsonSchema) =>
    `${wrapped(`${name}: ${sentenceOf(schema)}`, `${indent}    `, '    ')}\n`
  return [
    `${indent}"""${title} (POST ${path}).\n`,
    `${wrapped(summary, indent)}\n`,
    `${indent}Args:\n${fields.map((field) => item(field[0], isNames(field) ? ofFrame(field[1]) : field[1])).join('')}`,
    `${indent}Returns:\n${outputs.map(({ name, schema }) => item(name, schema)).join('')}${indent}"""\n`,
  ].join('\n')
}
