/** Makes the command of an act of operators from the declaration of its endpoint. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { TSchema } from 'typebox'
import type { AccountReference } from '../../../accounts/account.ts'
import { keepIn } from '../../../accounts/history.ts'
import type { ReadSums } from '../../../accounts/usage-sums.ts'
import { Failure, succeeded } from '../../../base/failure.ts'
import { OPERATOR_PAGE } from '../../../base/limits/operation.ts'
import { isoTime } from '../../../base/time.ts'
import { Type } from '../../../base/type.ts'
import { validator } from '../../../compute/body/validate.ts'
import type { JsonSchema } from '../../../compute/catalogue/schema.ts'
import { nameOf } from '../../../operators/accounts.ts'
import { openActivity, type ReadActivity } from '../../../operators/activity.ts'
import {
  factsOf,
  type OperatorContext,
  type OperatorEndpoint,
  type OutcomeFacts,
} from '../../../operators/http/endpoint.ts'
import { operatorEndpoints } from '../../../operators/http/endpoints.ts'
import { eventBy } from '../terminal.ts'
import { type AdminCommand, type AdminSession, find, readAccount, readNumber, readTime } from './command.ts'
import { EXIT } from './failure.ts'

/** The parts of an act's command that its declaration does not state. */
interface Additions {
  /** Adds arguments and options for fields of several values. */
  shape(command: Command): Command
  /** Completes the fields of the request. @param args the arguments that commander has read, then the options */
  complete(session: AdminSession, given: Given, ...args: unknown[]): Promise<Given>
}
type Given = Record<string, unknown>
type Options = Readonly<Record<string, unknown>>

export function actCommand(act: OperatorEndpoint, additions?: Additions): AdminCommand {
  const { command, verb } = act
  if (command === undefined) throw new Error(`${verb} has no command`)
  const words = wordsOf(act)
  const options = Object.keys(fieldsOf(act)).filter((name) => !words.includes(name) && isTyped(act, name))
  return {
    usage: verb!.split(' ').at(-1)!,
    summary: act.summary.replaceAll('`', '').replace(/\bnull\b/g, 'default'),
    examples: command.examples,
    mayCreate: command.mayCreate === true,
    shape(shaped) {
      for (const name of words) shaped.addArgument(argument(act, name))
      for (const name of options) shaped.addOption(option(act, name))
      if (command.stdin !== undefined)
        shaped.option(`--${command.stdin}-stdin`, `read the ${command.stdin} from standard input`)
      if (command.ask !== undefined) shaped.option('--yes', 'do not ask')
      for (const name of options) shaped.addHelpText('after', linesOfChoices(act, name))
      return additions?.shape(shaped) ?? shaped
    },
    async run(session, ...args: unknown[]) {
      const typed = args.at(-1) as Options
      const values = [
        ...words.map((name, index) => [name, args[index]] as const),
        ...options.map((name) => [name, sent(act, name, typed[keyOf(act, name)])] as const),
      ].filter(([, value]) => value !== undefined)
      const { stdin } = command
      if (stdin !== undefined && typed[`${stdin}Stdin`] === true)
        values.push([stdin, valid(act, stdin, (await session.terminal.input()).replace(/\r?\n$/, ''))])
      const given = Object.fromEntries(values)
      const complete = (await additions?.complete(session, given, ...args)) ?? given
      await perform(session, act, complete, typed.yes === true)
    },
  }
}

async function perform(
  session: AdminSession,
  act: OperatorEndpoint,
  given: Given,
  isSure: boolean,
): Promise<void> {
  const { ask, fails, json, needs, text } = act.command!
  const account = given.account === undefined ? null : await find(session, given.account as AccountReference)
  const question = account && ask?.(account, nameOf(account))
  if (question != null) await session.confirm(question, isSure)
  const fields = { ...given, ...(account && { account: account.accountId }) }
  const { actor } = eventBy('')
  const context = await contextOf(session, act, needs)
  const data = await act.handle(context, {
    ...(act.method === 'GET'
      ? { query: { limit: OPERATOR_PAGE.most, ...fields }, input: null }
      : { query: null, input: fields as never }),
    by: { id: null, name: actor, role: 'admin', person: null },
    event: () => eventBy(act.verb!),
    act: async (verb, ...args) => succeeded(await session.store.run(verb, ...args)),
  })
  const printed =
    text?.(data, { given: fields as never, account, plan: session.plan.current() }) ??
    (act.said === undefined
      ? linesOf(act, data as { items: never[] })
      : outcomeText(act, data as Given, await factsOf(context, fields, account, data)))
  await session.print(json?.(data, fields as never) ?? plainJson(data as Given), printed)
  if (fails?.(data)) session.terminal.exitWith(EXIT.failed)
}

const linesOf = ({ command }: OperatorEndpoint, { items }: { readonly items: readonly never[] }): string =>
  items.map((item) => command!.line!(item).join('  ')).join('\n') || 'None.'

/** The data for --json: a list without other data as an array, the fields of an account beside the other data. */
function plainJson({ account, items, next_cursor: _, ...rest }: Given): object {
  if (items !== undefined && Object.keys(rest).length === 0) return items as object
  return { ...rest, ...(account as object | undefined), ...(items !== undefined && { items }) }
}

/** The sentence of an act, then its secrets, which are shown only now. */
function outcomeText({ said, secrets = [] }: OperatorEndpoint, data: Given, facts: OutcomeFacts): string {
  const shown = (secrets as readonly string[]).filter((name) => data[name] !== undefined)
  const labelled = (name: string) => `${name.replaceAll('_', ' ').replace('api', 'API')}  ${data[name]}`
  return [said!(data, facts), ...shown.map(labelled)].join('\n')
}

/** The context for the handler of a command, without the parts that only endpoints without a command use. */
async function contextOf(
  { config, hashToken, plan, reads, secrets, store }: AdminSession,
  { method }: OperatorEndpoint,
  needs: NonNullable<OperatorEndpoint['command']>['needs'],
): Promise<OperatorContext> {
  const parts = {
    store: method === 'GET' ? reads : store,
    reads,
    activity: wholeActivity(reads),
    twoPersons: {},
    plan: plan.current,
    readPlan: () => plan.read(reads),
    settings: config.plan,
    alerts: config.alerts,
    auditRetentionDays: config.auditRetentionDays,
    history: { keepSums: (overdue: ReadSums['overdue']) => keepIn(store, overdue) },
    webhookPrivate: config.webhookPrivate,
    endpointAt: (path: string) => operatorEndpoints.find((endpoint) => endpoint.path === path),
    ...(needs === 'secrets' && (await secretParts(secrets, hashToken))),
    ...(needs === 'operations' && {
      operationPaths: (await import('../../../compute/catalogue/index.ts')).operations.map(
        ({ path }) => path,
      ),
    }),
  }
  return parts as unknown as OperatorContext
}

/** Reads a range until it is complete. */
function wholeActivity(reads: AdminSession['reads']): ReadActivity {
  const read = openActivity(reads)
  return async (range) => {
    let found = await read(range)
    while (!found.isComplete) found = await read(range)
    return found
  }
}

async function secretParts(
  secrets: AdminSession['secrets'],
  hashToken: AdminSession['hashToken'],
): Promise<Pick<OperatorContext, 'vault' | 'hashToken' | 'masterKeyIds' | 'hashPassword'>> {
  const { masterKeys, vault } = await secrets()
  return {
    vault,
    hashToken: await hashToken(),
    masterKeyIds: () => masterKeys.list().map(({ id }) => id),
    hashPassword: async (password) =>
      await (await import('../../../secrets/passwords.ts')).createPasswords().hash(password),
  }
}

/** The options of a command that is not made from a declaration alone, for fields of an act. */
export const optionsFor = (act: OperatorEndpoint, names: readonly string[]) => ({
  addTo: (command: Command): Command =>
    names.reduce((shaped, name) => shaped.addOption(option(act, name)), command),
  /** The values of the fields. @param typed the options that commander has read */
  read: (typed: Options): Given => Object.fromEntries(names.map((name) => [name, typed[keyOf(act, name)]])),
})

const fieldsOf = ({ input, query }: OperatorEndpoint): Readonly<Record<string, TSchema>> =>
  (input ?? query)?.properties ?? {}

const isRequired = ({ command, input, query }: OperatorEndpoint, name: string): boolean =>
  ((input ?? query)?.required as readonly string[] | undefined)?.includes(name) === true &&
  command!.optional !== name

const wordsOf = (act: OperatorEndpoint): readonly string[] =>
  act.command!.words ?? Object.keys(fieldsOf(act)).filter((name) => isRequired(act, name))

/** A line about each value of a field that is a list of choices. */
function linesOfChoices(act: OperatorEndpoint, name: string): string {
  const { items } = fieldsOf(act)[name] as JsonSchema
  const lines = Object.entries(items?.['x-enumDescriptions'] ?? {})
  if (lines.length === 0) return ''
  const width = Math.max(...lines.map(([value]) => value.length))
  const printed = lines.map(([value, line]) => `  ${value.padEnd(width)}  ${line.replaceAll('`', '')}`)
  return `\nValues of ${flagOf(act, name)}, separated by commas:\n${printed.join('\n')}`
}

/** Whether the field is an argument or option: not so a cursor, a reason (the audit names the login instead), and an object. */
const isTyped = (act: OperatorEndpoint, name: string): boolean => {
  const schema = fieldsOf(act)[name] as JsonSchema
  const isText = [schema, ...((schema.anyOf ?? []) as JsonSchema[])].every(
    ({ patternProperties, properties }) => patternProperties === undefined && properties === undefined,
  )
  return isText && name !== 'cursor' && name !== 'reason' && name !== act.command!.stdin
}

function argument(act: OperatorEndpoint, name: string): Argument {
  const schema = fieldsOf(act)[name] as JsonSchema
  const shown = name.replaceAll('_', '-')
  const made = new Argument(isRequired(act, name) ? `<${shown}>` : `[${shown}]`, textOf(schema))
  return schema.enum === undefined
    ? made.argParser(checked(act, name))
    : made.choices(schema.enum as string[])
}

/** The description of a field, in which the word `default`, as a command has it, replaces null. */
const textOf = ({ description = '' }: JsonSchema): string => description.replace('null:', 'default:')

const flagOf = ({ command }: OperatorEndpoint, name: string): string =>
  command?.flags?.[name] ?? `--${name.replaceAll('_', '-')}`

/** The name by which commander returns an option. */
const keyOf = (act: OperatorEndpoint, name: string): string => new Option(flagOf(act, name)).attributeName()

function option(act: OperatorEndpoint, name: string): Option {
  const schema = fieldsOf(act)[name] as JsonSchema
  const value = schema.type === 'boolean' ? '' : ` <${valueName(schema)}>`
  const made = new Option(`${flagOf(act, name)}${value}`, textOf(schema))
  if (schema.enum !== undefined) made.choices(schema.enum as string[])
  else if (value !== '') made.argParser(checked(act, name))
  return made.makeOptionMandatory(isRequired(act, name))
}

const valueName = ({ anyOf, format, type }: JsonSchema): string =>
  anyOf?.[0].type === 'integer' || type === 'integer' ? 'n' : format === 'date-time' ? 'time' : 'text'

const isNullable = ({ anyOf = [] }: JsonSchema): boolean => anyOf.some(({ type }) => type === 'null')

/** The value of an option. Null replaces `default` only here, because commander makes an empty text of null. */
const sent = (act: OperatorEndpoint, name: string, value: unknown): unknown =>
  value === 'default' && isNullable(fieldsOf(act)[name] as JsonSchema) ? null : value

/** Reads and checks the text of an argument or option. Commas separate the items of a list. */
function checked(act: OperatorEndpoint, name: string): (text: string) => unknown {
  if (name === 'account') return readAccount
  const schema = fieldsOf(act)[name] as JsonSchema
  const one = schema.anyOf?.[0] ?? schema
  return (text) => {
    if (isNullable(schema) && text === 'default') return text
    if (one.type === 'integer')
      return readNumber(one.minimum ?? 0, one.maximum ?? Number.MAX_SAFE_INTEGER)(text)
    const value =
      one.type === 'array' ? text.split(',') : one.format === 'date-time' ? isoTime(readTime(text)) : text
    try {
      return valid(act, name, value)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { message } = error.details[0]
      const about = `(${one.description ?? name})`
      throw new InvalidArgumentError(`It ${message}${message.endsWith(about) ? '' : ` ${about}`}.`)
    }
  }
}

/** Throws Failure `invalid_input`. */
const valid = (act: OperatorEndpoint, name: string, value: unknown): unknown =>
  validator<Given>(Type.Object({ [name]: fieldsOf(act)[name] })).validate({ [name]: value })[name]
