/** Commands for the endpoints of webhooks. */
import { Argument, Option } from 'commander'
import { noSuchEndpoint } from '../../errors/operator.ts'
import { type AdminCommand, readNumber, readTime } from './command.ts'
import { eventBy } from './event.ts'
import { CommandFailure, EXIT } from './failure.ts'

const idArgument = () => new Argument('<id>', 'number of the endpoint').argParser(readNumber(1, 1e9))

const create: AdminCommand = {
  usage: 'create',
  summary: 'Create an endpoint, and print its secret and its public key; they are not shown again.',
  examples: [
    ['webhook create https://example.org/quantd', 'sends all events from now on'],
    ['webhook create https://example.org/quantd --types credits.low,credits.exhausted', 'sends these types'],
  ],
  shape: (command) =>
    command
      .addArgument(new Argument('<url>', 'an https:// address'))
      .addOption(new Option('--types <types>', 'types of events, separated by commas').argParser(readList)),
  async run(session, url: string, options: { types?: string[] }) {
    const { vault } = await session.secrets()
    const { addEndpoint, newEndpoint } = await import('../../operator/webhooks.ts')
    const { webhookPrivate } = session.config
    const { keys, stored } = newEndpoint({ vault, webhookPrivate }, { url, types: options.types })
    const id = await session.store.run(addEndpoint, { ...stored, event: eventBy('webhook create') })
    await session.print(
      { id, url, types: stored.types, secret: keys.secret, public_key: keys.publicKey },
      `Created endpoint ${id}.\nSecret (v1)       ${keys.secret}\nPublic key (v1a)  ${keys.publicKey}`,
    )
  },
}

const list: AdminCommand = {
  usage: 'list',
  summary: 'List the endpoints, with the events that wait and those that were given up.',
  examples: [['webhook list', 'all endpoints']],
  async run(session) {
    const { listEndpoints } = await import('../../operator/webhooks.ts')
    const found = await session.reads.run(listEndpoints)
    await session.print(
      found,
      found
        .map(
          ({ id, parked, types, url, waiting }) =>
            `${id}  ${url}  ${types?.join() ?? 'all types'}  ${waiting} waiting, ${parked} parked`,
        )
        .join('\n'),
    )
  },
}

const test: AdminCommand = {
  usage: 'test',
  summary: 'Send one signed message of the type test to an endpoint now, and print the status of the reply.',
  examples: [['webhook test 1', 'exits with 1 unless the reply is 2xx']],
  shape: (command) => command.addArgument(idArgument()),
  async run(session, id: number) {
    const { vault } = await session.secrets()
    const { testEndpoint } = await import('../../operator/webhooks.ts')
    const { webhookPrivate } = session.config
    const status = await testEndpoint({ store: session.store, vault, webhookPrivate }, id)
    if (status === null || status < 200 || status > 299)
      throw new CommandFailure(
        status === null ? `Endpoint ${id} did not answer.` : `Endpoint ${id} answered ${status}.`,
      )
    await session.print({ id, status }, `Endpoint ${id} answered ${status}.`)
  },
}

interface ReplayOptions {
  readonly event?: readonly string[]
  readonly from?: number
  readonly to?: number
}

const replay: AdminCommand = {
  usage: 'replay',
  summary: 'Send events to an endpoint again: by their ids, or those of a span of time.',
  examples: [
    ['webhook replay 1 --event evt_17_1767225600000', 'one event; several are separated by commas'],
    ['webhook replay 1 --from 2026-11-01 --to 2026-11-02', 'the events of a day'],
  ],
  shape: (command) =>
    command
      .addArgument(idArgument())
      .addOption(new Option('--event <ids>', 'ids of events').argParser(readList))
      .addOption(new Option('--from <time>', 'a date or an ISO 8601 time (UTC)').argParser(readTime))
      .addOption(new Option('--to <time>', 'the end; by default none').argParser(readTime)),
  async run(session, id: number, { event: given, from, to }: ReplayOptions) {
    if ((given === undefined) === (from === undefined))
      throw new CommandFailure('Give --event, or --from.', EXIT.usage)
    const { numbersOf, replay } = await import('../../operator/webhooks.ts')
    const which =
      given === undefined ? { from: from ?? 0, ...(to !== undefined && { to }) } : { ids: numbersOf(given) }
    const events = await session.store.run(replay, { id, which, event: eventBy('webhook replay') })
    if (events === null) throw noSuchEndpoint(id)
    await session.print({ id, events }, `Endpoint ${id}: ${events} events will be sent again.`)
  },
}

const remove: AdminCommand = {
  usage: 'delete',
  summary: 'Delete an endpoint, with the events that wait for it.',
  examples: [['webhook delete 1', 'by its number in the list']],
  shape: (command) => command.addArgument(idArgument()),
  async run(session, id: number) {
    const { deleteEndpoint } = await import('../../operator/webhooks.ts')
    if (!(await session.store.run(deleteEndpoint, { id, event: eventBy('webhook delete') })))
      throw noSuchEndpoint(id)
    await session.print({ id, deleted: true }, `Endpoint ${id} is deleted.`)
  },
}

const readList = (text: string): string[] => text.split(',')

export const webhookCommands: readonly AdminCommand[] = [create, list, test, replay, remove]
