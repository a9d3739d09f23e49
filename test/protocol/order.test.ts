/** The order of a request: each step takes what the step before it returned, and what was received is freed once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrder, pass } from '../../src/protocol/order.ts'

/** Steps that note their names; `failing` throws. */
function noted(failing: string | null) {
  const notes: string[] = []
  const step = (name: string, given: string): string => {
    notes.push(`${name}(${given})`)
    if (name === failing) throw new Error(name)
    return name
  }
  const answer = inOrder({
    authenticate: async (asked: string) => step('known', asked),
    receive: async (asked: string, known: string) => step('received', `${asked}, ${known}`),
    admit: async (received: string) => step('admitted', received),
    act: async (admitted: string) => step('acted', admitted),
    settle: async (acted: string) => step('settled', acted),
    reply: (settled: string) => step('reply', settled),
    refuse: (error, asked: string, known: string | null, received: string | null) =>
      `refused ${(error as Error).message}: ${asked}, ${known}, ${received}`,
    end(received: string) {
      notes.push(`end(${received})`)
    },
  })
  return { answer, notes }
}

const ALL = [
  'known(asked)',
  'received(asked, known)',
  'admitted(received)',
  'acted(admitted)',
  'settled(acted)',
  'reply(settled)',
]

test('the steps run in their order, each with the value of the one before it, and the end comes last', async () => {
  const { answer, notes } = noted(null)
  assert.equal(await answer('asked'), 'reply')
  assert.deepEqual(notes, [...ALL, 'end(received)'])
})

test('a step that throws is the last one, and the refusal has what is known by then', async () => {
  for (const [failing, refusal, isReceived] of [
    ['known', 'refused known: asked, null, null', false],
    ['received', 'refused received: asked, known, null', false],
    ['admitted', 'refused admitted: asked, known, received', true],
    ['reply', 'refused reply: asked, known, received', true],
  ] as const) {
    const { answer, notes } = noted(failing)
    assert.equal(await answer('asked'), refusal)
    const done = ALL.slice(0, ALL.findIndex((note) => note.startsWith(failing)) + 1)
    assert.deepEqual(notes, [...done, ...(isReceived ? ['end(received)'] : [])])
  }
})

test('a kind that leaves a step out, or takes the value of an earlier step, does not compile', () => {
  const steps = {
    authenticate: async (asked: string) => ({ asked, caller: 1 }),
    receive: async (_: string, { caller }: { caller: number }) => ({ caller, body: '' }),
    admit: async ({ caller }: { caller: number; body: string }) => ({ caller, admission: true }),
    act: async ({ admission }: { admission: boolean }) => ({ outcome: admission }),
    settle: pass<{ outcome: boolean }>,
    reply: ({ outcome }: { outcome: boolean }) => String(outcome),
    refuse: () => 'refused',
  }
  const { admit: _, ...unadmitted } = steps
  assert.ok(inOrder(steps))
  // @ts-expect-error: there is no admission.
  assert.ok(inOrder(unadmitted))
  // @ts-expect-error: the act takes what was received, not what was admitted.
  assert.ok(inOrder({ ...steps, act: async ({ body }: { body: string }) => ({ outcome: body === '' }) }))
})
