/** The OpenAPI 3.1 document of the operators' interface, made from its declarations. */

import { EXAMPLE_ACCOUNT } from '../operators/http/field-schemas.ts'
import type { DeclaredEndpoint, Failures } from './documented-endpoints.ts'
import { type Documented, documentOf } from './openapi.ts'
import { operationId } from './request-code.ts'

/** @param role the lowest role that may call the endpoint */
export type DeclaredAct = Omit<DeclaredEndpoint, 'area' | 'key' | 'message'> & {
  readonly role: string
  readonly verb: string | null
  readonly command?: {
    /** The fields that are positional arguments; absent: the required ones. */
    readonly words?: readonly string[]
    /** Options whose names are not those of their fields. */
    readonly flags?: Readonly<Record<string, string>>
    /** A field that is read from standard input. */
    readonly stdin?: string
  }
  readonly csv?: unknown
  /** The sentence of what an act has done; absent: the endpoint only reads. */
  said?(data: never, facts: never): string
  readonly undo?: unknown
  readonly final?: true
  readonly secrets?: readonly string[]
  /** Present where the act may need a second person. */
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

export const operatorOpenapi = (acts: readonly DeclaredAct[], failures: Failures, version: string) =>
  documentOf(
    acts.map((act) => described(act, failures)),
    failures,
    {
      info: {
        title: 'quantd operators',
        version,
        summary: "The operators' interface of quantd.",
        description:
          'Every act of `quantd admin`, for machines. It has a listener of its own. Each act is an event in the audit that names the token, the address and the reason. Its reply has a sentence of what was done, `message`, and, where a request undoes it, that request, `undo`.',
      },
      tags: [{ name: AREA, description: 'Acts of operators and what they see.' }],
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An operator token (qd_op_…), made by `quantd admin token create`.',
        },
      },
    },
  )

const AREA = 'Operators'

function described(act: DeclaredAct, all: Failures): Documented {
  const { example, failures, path, role, said, summary, twoPersons, verb } = act
  const facts = { given: example.input, name: EXAMPLE_ACCOUNT.email, account: EXAMPLE_ACCOUNT }
  const occurring = [
    ...ALWAYS,
    ...failures,
    ...(twoPersons === undefined ? [] : ['second_person_needed', 'conflict']),
  ]
  return {
    ...act,
    ...({ id: operationId(path), area: AREA, key: 'token' } as const),
    message: said?.(example.output as never, facts as never) ?? null,
    computation: false,
    arrow: false,
    summary: `${summary} Role: ${role}.${verb === null ? '' : ` Command: \`quantd admin ${verb}\`.`}`,
    failures: Object.keys(all).filter((code) => occurring.includes(code)),
  }
}
