/** Texts that harm a database, a spreadsheet or a log, sent in every field of the operators' interface. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plain } from '../../src/derive/schemas.ts'
import { operatorEndpoints } from '../../src/operators/http/endpoints.ts'
import { useOperators } from '../support/operators.ts'

const { act, done, quantd, service } = await useOperators({ QUANTD_TWO_PERSONS: 'delete' })

const HARMFUL = [
  ...['a\0b', '\ud800', "'; DROP TABLE accounts; --", '\u202e\u001b[2J'],
  // Times that no database takes.
  ...['2030-12-31T23:59:60Z', '2030-01-01T00:00:00Z[Europe/Paris]'],
]

/** Names of the fields of a schema that are texts of any content. */
const textsOf = (schema: object | null): string[] =>
  Object.entries(schema === null ? {} : (plain(schema as never).properties ?? {})).flatMap(([name, one]) =>
    [one, ...(one.anyOf ?? [])].some(({ enum: choices, type }) => type === 'string' && !choices)
      ? [name]
      : [],
  )

describe("a text in a field of the operators' interface", () => {
  it('is refused or taken, never a failure of the service, whatever characters it has', async () => {
    const { email } = await service.person()
    for (const { example, input, method, path, query } of operatorEndpoints) {
      const place = path.slice('/operator/v1/'.length)
      for (const text of HARMFUL) {
        const taken = ({ status }: { status: number }, field: string) =>
          assert.ok(status < 500, `${status} for ${JSON.stringify(text)} in ${field} of ${path}`)
        const body = { ...example.input, ...('account' in (example.input ?? {}) && { account: email }) }
        for (const field of textsOf(input)) {
          taken(await act(place, { ...body, [field]: text }), field)
          taken(
            await act(place, { ...body, [field]: `${(body as Record<string, unknown>)[field]}${text}` }),
            field,
          )
        }
        for (const field of method === 'GET' ? textsOf(query) : [])
          taken(await act(`${place}?${new URLSearchParams({ [field]: text })}`), field)
      }
    }
  })

  it('is a text in the tables of the audit too, where a spreadsheet would run it as a formula', async () => {
    const { key } = await service.person()
    const headers = { 'x-request-id': '-1-cmd.A1' }
    await service.call('/quantlib/economics/utility/log', { key, body: { wealth: 2 }, headers })
    const { out } = await quantd(['admin', 'export-audit', '--format', 'csv', '--request-id', '-1-cmd.A1'])
    assert.match(out, /,'-1-cmd\.A1,/)
    const { text } = await act('audit?rows=calls&format=csv&request_id=-1-cmd.A1')
    assert.equal(text, out, 'by the interface as by the command')
    const [row] = (await done('audit?request_id=-1-cmd.A1')).items
    assert.equal(row.request_id, '-1-cmd.A1', 'data for programs are as they were sent')
  })

  it('is a text in the report of costs too, where a spreadsheet has other separators or wide signs', async () => {
    const { email, key } = await service.person()
    for (const name of ['a;=1+1;b', '＝1+1', 'a; b']) {
      const created = await service.call('/user/keys/create', { key, body: { name } })
      assert.equal((await service.compute(created.body.data.key)).status, 200)
    }
    const [{ at }] = (await done(`audit?account=${email}`)).items
    const { text } = await act(`reports/costs?month=${at.slice(0, 7)}&format=csv&account=${email}`)
    for (const cell of [",a;'=1+1;b,", ",'＝1+1,", ',a; b,']) assert.ok(text.includes(cell), text)
  })
})
