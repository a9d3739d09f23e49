/** Commands for the endpoints of webhooks. */
import { Argument, InvalidArgumentError, Option } from 'commander'
import { faultOf } from '../../webhooks/addresses.ts'
import { type AdminCommand, readNumber } from './command.ts'
import { eventBy } from './event.ts'
import { CommandFailure, EXIT } from './failure.ts'

const idArgument = () => new Argument('<id>', 'number of the endpoint').argParser(readNumber(1, 1e9))
const noEndpoint = (id: number) => new CommandFailure(`There is no endpoint ${id}.`)

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
      .addOption(
        new Option('--types <types>', 'types of events, separated by commas').argParser((text: string) =>
          text.split(','),
        ),
      ),
  async run(session, url: string, options: { types?: string[] }) {
    const fault = faultOf(url, session.config.webhookPrivate)
    if (fault !== null) throw new CommandFailure(`${url} cannot receive events: ${fault}.`, EXIT.usage)
    await refuseUnknown(options.types ?? [])
    const { vault } = await session.secrets()
    const { addEndpoint, newEndpoint } = await import('../../operator/webhooks.ts')
    const { keys, stored } = newEndpoint(vault)
    const types = options.types ?? null
    const event = eventBy('webhook create')
    const id = await session.store.run(addEndpoint, { ...stored, url, types, event })
    await session.print(
      { id, url, types, secret: keys.secret, public_key: keys.publicKey },
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
    const { endpoints } = await import('../../webhooks/deliveries.ts')
    const { send } = await import('../../webhooks/sender.ts')
    const endpoint = (await session.store.run(endpoints)).find((one) => one.id === id)
    if (endpoint === undefined) throw noEndpoint(id)
    const post = { allowPrivate: session.config.webhookPrivate }
    const message = { eventId: 0, accountId: 0, type: 'test', data: '{}', at: Date.now() }
    const status = await send({ vault, post }, endpoint, message)
    if (status === null || status < 200 || status > 299)
      throw new CommandFailure(
        status === null ? `Endpoint ${id} did not answer.` : `Endpoint ${id} answered ${status}.`,
      )
    await session.print({ id, status }, `Endpoint ${id} answered ${status}.`)
  },
}

interface ReplayOptions {
  readonly event?: number[]
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
      .addOption(new Option('--event <ids>', 'ids of events').argParser(readEvents))
      .addOption(new Option('--from <time>', 'a date or an ISO 8601 time (UTC)').argParser(readTime))
      .addOption(new Option('--to <time>', 'the end; by default now').argParser(readTime)),
  async run(session, id: number, { event: ids, from, to = Date.now() }: ReplayOptions) {
    if ((ids === undefined) === (from === undefined))
      throw new CommandFailure('Give --event, or --from.', EXIT.usage)
    const { replay } = await import('../../operator/webhooks.ts')
    const which = ids === undefined ? { from: from ?? 0, to } : { ids }
    const events = await session.store.run(replay, { id, which, event: eventBy('webhook replay') })
    if (events === null) throw noEndpoint(id)
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
      throw noEndpoint(id)
    await session.print({ id, deleted: true }, `Endpoint ${id} is deleted.`)
  },
}

async function refuseUnknown(types: readonly string[]): Promise<void> {
  const { EVENT_NAMES } = await import('../../webhooks/event-types.ts')
  const unknown = types.find((type) => !EVENT_NAMES.some((name) => name === type))
  if (unknown === undefined) return
  throw new CommandFailure(
    `There is no type ${unknown}; the types are ${EVENT_NAMES.join(', ')}.`,
    EXIT.usage,
  )
}

const readEvents = (text: string): number[] =>
  text.split(',').map((id) => {
    const found = /^(?:evt_)?(\d{1,15})(?:_\d+)?$/.exec(id)
    if (found === null) throw new InvalidArgumentError(`${id} is not the id of an event.`)
    return Number(found[1])
  })

function readTime(text: string): number {
  const at = Date.parse(text)
  if (Number.isFinite(at)) return at
  throw new InvalidArgumentError('It must be a date or an ISO 8601 time.')
}

export const webhookCommands: readonly AdminCommand[] = [create, list, test, replay, remove]
