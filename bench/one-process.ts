/** One process on SQLite with both cores compared with one core: calls of a millisecond, and cheap ones. */
import { checkBilled } from './http.ts'
import { BOTH_CORES, SERVER_CORE, startQuantd } from './machine.ts'
import { type Both, CHEAP, figures, type Kind, measureBoth, microsOf, ROUNDS, WORK } from './processes.ts'
import { median, type Part, type Row, ratioRow } from './record.ts'

const KINDS: readonly Kind[] = [
  { ...WORK, connections: 4, id: 'work-4' },
  { ...WORK, connections: 16, id: 'work-16' },
  CHEAP,
]

export async function oneProcess(): Promise<Part> {
  const one = await startQuantd({ cores: SERVER_CORE })
  const two = await startQuantd({ cores: BOTH_CORES })
  const rows: Row[] = []
  for (const kind of KINDS) rows.push(row(await measureBoth(one, two, kind), kind))
  for (const service of [one, two]) {
    await checkBilled(service)
    await service.stop()
  }
  return {
    rounds: ROUNDS,
    conditions:
      'One process on one core, and one on both, of which the load generator shares the second; on SQLite. Other programs that run at the time raise the ratio: two cores get a larger part of their time.',
    rows,
  }
}

function row({ one, two }: Both, { connections, id, name }: Kind): Row {
  const generator = median(two.map(({ generatorMicros }) => generatorMicros))
  const [first, both] = [microsOf(one), microsOf(two)]
  return ratioRow(
    {
      id: `one-process-${id}`,
      work: `one process with both cores: ${name}, ${connections} connections`,
      against: 'the same process on one core',
      goal: id === CHEAP.id ? null : { is: 'at least', value: 1.5 },
      note: `Processor time a call: ${first.toFixed(0)} µs on one core, ${both.toFixed(0)} µs on both, ${generator.toFixed(0)} µs in the generator.`,
    },
    figures('calls/s', two, ({ perSecond }) => perSecond),
    figures('calls/s', one, ({ perSecond }) => perSecond),
  )
}
