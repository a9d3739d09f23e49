/** The OpenAPI 3.1 document of the operators' interface, made from its declarations. */
import { operationId } from './code/request-code.ts'
import type { DeclaredEndpoint, Failures } from './described.ts'
import { failureReply } from './failure-page.ts'
import { failureSchema, published } from './openapi.ts'
import { plain } from './rules.ts'

/** @param role the least that may call it */
export type DeclaredAct = Omit<DeclaredEndpoint, 'area' | 'key' | 'message'> & {
  readonly role: string
  readonly verb: string | null
  readonly command?: {
    /** The fields that are arguments; absent: the required ones. */
    readonly words?: readonly string[]
    /** Options whose names are not those of their fields. */
    readonly flags?: Readonly<Record<string, string>>
  }
  /** Present: `format=csv` gives a table. */
  readonly csv?: unknown
  /** Of an act that may need a second person. */
  readonly twoPersons?: object
}

const ALWAYS = [
  'invalid_input',
  'invalid_json',
  'token_invalid',
  'role_forbidden',
  'too_many_attempts',
  'unavailable',
  'internal',
]

export function operatorOpenapi(acts: readonly DeclaredAct[], failures: Failures, version: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'quantd operators',
      version,
      summary: "The operators' interface of quantd.",
      description:
        'Every act of `quantd admin`, for machines. It has a listener of its own. Each act is an event in the audit that names the token, the address and the reason.',
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: [{ name: 'Operators', description: 'Acts of operators and what they see.' }],
    security: [{ token: [] }],
    paths: Object.fromEntries(
      acts.map((act) => [act.path, { [act.method.toLowerCase()]: operationObject(act, failures) }]),
    ),
    components: {
      schemas: { Failure: failureSchema(Object.keys(failures)) },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An operator token (qd_op_…), made by `quantd admin token create`.',
        },
      },
    },
  }
}

function operationObject(act: DeclaredAct, failures: Failures) {
  const { example, input, output, query, role, summary, title, verb } = act
  const fields = query === null ? {} : (plain(query).properties ?? {})
  const required = query === null ? [] : (plain(query).required ?? [])
  return {
    operationId: operationId(act.path),
    tags: ['Operators'],
    summary: title,
    description: `${summary} Role: ${role}.${verb === null ? '' : ` Command: \`quantd admin ${verb}\`.`}`,
    parameters: Object.entries(fields).map(([name, { description, ...schema }]) => ({
      ...{ name, in: 'query', required: required.includes(name), description, schema },
    })),
    ...(input !== null && {
      requestBody: {
        required: (plain(input).required ?? []).length > 0,
        content: { 'application/json': { schema: published(plain(input)), example: example.input } },
      },
    }),
    responses: {
      '200': success(plain(output), example.output, act.csv !== undefined),
      ...refusals(act, failures),
    },
  }
}

const success = (data: ReturnType<typeof plain>, example: unknown, isCsv: boolean) => ({
  description: 'Success',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['success', 'data'],
        properties: { success: { const: true }, data: published(data) },
      },
      example: { success: true, data: example },
    },
    ...(isCsv && { 'text/csv': { schema: { type: 'string' } } }),
  },
})

/** One response for each status, with the codes that it can carry. */
function refusals({ failures, twoPersons }: DeclaredAct, all: Failures) {
  const own = twoPersons === undefined ? failures : [...failures, 'second_person_needed']
  const codes = Object.keys(all).filter((code) => ALWAYS.includes(code) || own.includes(code))
  return Object.fromEntries(
    [...Map.groupBy(codes, (code) => all[code].status)].map(([status, of]) => [
      String(status),
      {
        description: of.map((code) => `\`${code}\`: ${all[code].title}`).join('; '),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Failure' },
            examples: Object.fromEntries(of.map((code) => [code, { value: failureReply(code) }])),
          },
        },
      },
    ]),
  )
}
