/** Mutated Arrow streams are refused or computed; nothing else happens. The fuzzer sends more of them over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../../src/base/failure.ts'
import { compileComputations } from '../../../src/compute/computations.ts'
import { mutatedStream, seedStreams } from './arrow.ts'
import { dice } from './dice.ts'
import { readDocument } from './document.ts'

const STREAMS = Number(process.env.QUANTD_ARROW_STREAMS ?? 3_000)

test('each mutated stream gives a result or a failure of the input, in Arrow as in JSON', () => {
  const all = compileComputations()({})
  const endpoints = readDocument().endpoints.filter(({ takesArrow }) => takesArrow)
  const seeds = endpoints.map(seedStreams)
  const outcomes = { success: 0, refused: 0 }
  for (let number = 0; number < STREAMS; number++) {
    const which = number % endpoints.length
    const bytes = mutatedStream(seeds[which], dice(20_261_121, number))
    const wire = { body: 'arrow', reply: number % 2 === 0 ? 'arrow' : 'json' } as const
    const job = all.get(endpoints[which].path)!.read(bytes, wire)
    const outcome = job instanceof Failure ? job : job.run()
    if (!(outcome instanceof Failure)) outcomes.success += 1
    else {
      assert.equal(outcome.code, 'invalid_input', outcome.message)
      outcomes.refused += 1
    }
  }
  assert.ok(outcomes.success > STREAMS / 50 && outcomes.refused > STREAMS / 4, JSON.stringify(outcomes))
})
