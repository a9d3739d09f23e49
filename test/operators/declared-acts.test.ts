/** What acts declare of themselves, for the page and the documents: finality, secrets and labels. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actForms } from '../../src/derive/forms.ts'
import { EVENT_NAMES, EVENT_TYPES } from '../../src/ledger/event-types.ts'
import { operatorEndpoints } from '../../src/operators/http/endpoints.ts'

const PREFIX = '/operator/v1/'
const forms = new Map(actForms(operatorEndpoints).map((form) => [form.path.slice(PREFIX.length), form]))

test('the acts that end or delete something are final, and those that a command asks about', () => {
  const final = [...forms].flatMap(([path, form]) => (form.final ? [path] : []))
  assert.deepEqual(final, [
    'accounts/reset-mfa',
    'accounts/delete',
    'keys/revoke',
    'keys/replace',
    'tokens/revoke',
    'webhooks/delete',
  ])
  for (const { command, final, path } of operatorEndpoints)
    if (command?.ask !== undefined) assert.equal(final, true, path)
})

test('the summary of every final act, and of no other one, says that it cannot be undone', () => {
  for (const { final, path, summary } of operatorEndpoints)
    assert.equal(/cannot be undone/i.test(summary), final === true, path)
})

test('the acts whose summary says that something is shown only now declare it as a secret', () => {
  for (const { path, secrets, summary } of operatorEndpoints)
    assert.equal(/shown only now/.test(summary), secrets !== undefined, path)
})

test('every secret is a text in the data, and every text of the examples that is one is declared', () => {
  const isSecret = (value: unknown) => typeof value === 'string' && /^(qd_|whsec_|whpk_).{20}/.test(value)
  for (const { example, output, path, secrets = [] } of operatorEndpoints) {
    const { properties = {} } = output as { properties?: Readonly<Record<string, { type?: string }>> }
    for (const name of secrets) assert.equal(properties[name]?.type, 'string', `${path} ${name}`)
    for (const [name, value] of Object.entries(example.output as object))
      if (isSecret(value)) assert.ok((secrets as readonly string[]).includes(name), `${path} ${name}`)
  }
})

test('the types of events are a choice, with a line about each', () => {
  const { choices, kind, lines } = forms.get('webhooks/create')!.fields.find(({ name }) => name === 'types')!
  assert.deepEqual([kind, choices], ['choices', EVENT_NAMES])
  for (const name of EVENT_NAMES) assert.equal(lines![name], EVENT_TYPES[name].when)
})

test('a form has the labels of fields whose names say too little', () => {
  const labels = (path: string) =>
    Object.fromEntries(forms.get(path)!.fields.flatMap(({ label, name }) => (label ? [[name, label]] : [])))
  assert.deepEqual(labels('accounts/set-limits'), { hour: 'An hour', day: 'A day', reason: 'Why' })
  assert.deepEqual(labels('notes'), { what: 'What was copied', reason: 'Why' })
})

test('a page asks for no field that its command reads from standard input', () => {
  for (const { command, input, path } of operatorEndpoints) {
    const { stdin } = command ?? {}
    if (stdin === undefined) continue
    assert.ok(stdin in input!.properties, path)
    assert.equal(
      forms.get(path.slice(PREFIX.length))!.fields.some(({ name }) => name === stdin),
      false,
      path,
    )
  }
})
