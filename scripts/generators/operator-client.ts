/** The generated files of the clients of operators: types and endpoints in TypeScript, methods in Python. */

import { capitalised } from '../../src/derive/documented-endpoints.ts'
import type { DeclaredAct } from '../../src/derive/operator-openapi.ts'
import { operationId, pythonValue } from '../../src/derive/request-code.ts'
import { plain } from '../../src/derive/schemas.ts'
import { argumentOf, declaredTypes, HEADING } from './client-types.ts'
import { HEADING as PYTHON_HEADING, wrapped } from './python-text.ts'
import { declarations } from './typescript-types.ts'

/** `/operator/v1/grants/reverse` → `grantsReverse`. */
const nameOf = ({ path }: DeclaredAct): string => operationId(path.replace(/^\/operator\/v1/, ''))

const isOptional = (act: DeclaredAct): boolean => (plain(argumentOf(act)!).required ?? []).length === 0

/** Whether repeating a request has no further effect: of reads, and of movements of credits, whose references are unique. */
const isRepeatable = ({ method, path }: DeclaredAct): boolean =>
  method === 'GET' || path.startsWith('/operator/v1/grants')

const docComment = ({ role, summary, title }: DeclaredAct): string => `${title}. ${summary} Role: ${role}.`

/** clients/typescript/operator-acts.ts. */
export function operatorClient(acts: readonly DeclaredAct[]): string {
  const methods = acts.map((act) => {
    const name = nameOf(act)
    const mark = argumentOf(act) === null || isOptional(act) ? '?' : ''
    const input = argumentOf(act) === null ? '' : `input${mark}: ${capitalised(name)}Input, `
    return `  /** ${docComment(act).replaceAll('*/', '* /')} */\n  ${name}(${input}options?: ActOptions): Promise<${capitalised(name)}Data>`
  })
  const rows = acts.map((act) => {
    const { method, path } = act
    return `  ${nameOf(act)}: { method: '${method}', path: '${path}', input: ${argumentOf(act) !== null}, repeatable: ${isRepeatable(act)} },`
  })
  return [
    `/** Requests and results of the operators' interface, ${HEADING}`,
    'export interface ActOptions {\n  /** Aborts the request, which rejects with the reason of the signal. */\n  readonly signal?: AbortSignal\n}\n',
    ...declarations(acts.flatMap((act) => declaredTypes(nameOf(act), act, false))),
    `/** One method per endpoint. */\nexport interface Acts {\n${methods.join('\n')}\n}\n`,
    `export const acts = {\n${rows.join('\n')}\n} as const satisfies Record<keyof Acts, object>\n`,
  ].join('\n')
}

/** quantd/operator_acts.py: a method for each endpoint; fields are keywords. */
export const pythonOperator = (acts: readonly DeclaredAct[]): string =>
  [
    `"""The endpoints of the operators' interface, ${PYTHON_HEADING}`,
    'from __future__ import annotations\n',
    'from typing import Any, Dict, Optional\n\n',
    'class Acts:',
    '    def _act(self, method: str, path: str, repeatable: bool, fields: Optional[Dict[str, Any]]) -> Any:',
    '        raise NotImplementedError\n',
    acts.map(pythonMethod).join('\n'),
  ].join('\n')

function pythonMethod(act: DeclaredAct): string {
  const { properties = {}, required = [] } = argumentOf(act) === null ? {} : plain(argumentOf(act)!)
  const names = Object.keys(properties)
  const ordered = [
    ...names.filter((name) => required.includes(name)),
    ...names.filter((name) => !required.includes(name)),
  ]
  const parameters = ordered.map((name) => `${safe(name)}: Any${required.includes(name) ? '' : ' = ...'}`)
  const fields = ordered.map((name) => `${pythonValue(name)}: ${safe(name)}`)
  const sent = argumentOf(act) === null ? 'None' : `{${fields.join(', ')}}`
  return [
    `    def ${pythonName(act)}(self${parameters.length > 0 ? `, *, ${parameters.join(', ')}` : ''}) -> Any:`,
    wrapped(`"""${docComment(act).replaceAll('\\', '')}"""`, '        '),
    `        return self._act(${[pythonValue(act.method), pythonValue(act.path), pythonValue(isRepeatable(act)), sent].join(', ')})`,
    '',
  ].join('\n')
}

/** `/operator/v1/grants/reverse` → `grants_reverse`. */
const pythonName = ({ path }: DeclaredAct): string =>
  path.replace(/^\/operator\/v1\//, '').replace(/[^a-z0-9]+/g, '_')

/** `from` is a keyword of Python. */
const safe = (name: string): string => (name === 'from' ? 'from_' : name)
