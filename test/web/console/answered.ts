/** The request of a table after answers to the questions about it. */
import assert from 'node:assert/strict'
import { guessed } from '../../../src/web/console/data/guess.ts'
import type { Mapping, TableSpec } from '../../../src/web/console/data/mapping.ts'
import { readTable } from '../../../src/web/console/data/read-table.ts'
import { requestOf, type TableRequest } from '../../../src/web/console/data/request.ts'
import type { Ask, Question } from '../../../src/web/console/data/values.ts'

/** The request whose columns are confirmed, after the first answer with each of these labels. */
export function answered(spec: TableSpec, text: string, ...labels: string[]): TableRequest {
  const table = readTable(text)
  let mapping: Mapping = { ...guessed(spec, table), guesses: [] }
  for (const label of labels) {
    const asks: readonly (Ask | Question)[] = requestOf(spec, table, mapping).asks
    const answers = asks.flatMap((ask) => ('answers' in ask ? ask.answers : []))
    const answer = answers.find((one) => one.label === label)
    assert.ok(answer?.mapping, label)
    mapping = { ...answer.mapping, guesses: [] }
  }
  return requestOf(spec, table, mapping)
}
