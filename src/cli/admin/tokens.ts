/** Commands for the tokens of the operators' interface over HTTP. */
import { Argument, InvalidArgumentError, Option } from 'commander'
import { noSuchToken, tokenNameTaken } from '../../errors/operator.ts'
import { instant } from '../../operator/account-json.ts'
import { ROLES, type Role } from '../../operator/roles.ts'
import { type AdminCommand, readNumber } from './command.ts'
import { eventBy } from './event.ts'

const create: AdminCommand = {
  usage: 'create',
  summary: 'Create a token and print it; it is kept as a hash only and cannot be shown again.',
  examples: [
    ['token create "billing system" --role billing', 'may grant and reverse, and all that support may'],
    ['token create ada --role viewer --expires 2027-01-01', 'may read until then'],
  ],
  shape: (command) =>
    command
      .addArgument(new Argument('<name>', 'name of the person or program, for the audit').argParser(readName))
      .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
      .addOption(new Option('--expires <time>', 'a date or an ISO 8601 time (UTC)').argParser(readEnd)),
  async run(session, name: string, options: { role: Role; expires?: number }) {
    const { addOperatorToken } = await import('../../operator/tokens.ts')
    const { newOperatorToken } = await import('../../secrets/keys.ts')
    const token = newOperatorToken()
    const { role } = options
    const added = await session.store.run(addOperatorToken, {
      ...{ name, role, expiresAt: options.expires ?? null, person: null, event: eventBy('token create') },
      hash: (await session.hashToken())(token),
    })
    if (added === null) throw tokenNameTaken(name)
    await session.print(
      { id: added.id, name, role, token },
      `Created token ${added.id} (${name}, ${role}).\n${token}`,
    )
  },
}

const list: AdminCommand = {
  usage: 'list',
  summary: 'List the tokens, the newest first. None is shown.',
  examples: [['token list', 'all tokens, revoked ones included']],
  async run(session) {
    const { operatorTokens, tokenJson } = await import('../../operator/tokens.ts')
    const tokens = await session.reads.run(operatorTokens)
    await session.print(
      tokens.map(tokenJson),
      tokens
        .map(({ id, lastUsedAt, name, revokedAt, role }) =>
          [
            ...[String(id).padStart(5), role.padEnd(8), revokedAt === null ? 'in use ' : 'revoked'],
            ...[(instant(lastUsedAt) ?? 'never used').slice(0, 16), name],
          ].join('  '),
        )
        .join('\n'),
    )
  },
}

const revoke: AdminCommand = {
  usage: 'revoke',
  summary: 'End a token from the next request on.',
  examples: [['token revoke 3', 'by its number in the list']],
  shape: (command) =>
    command.addArgument(new Argument('<id>', 'number of the token').argParser(readNumber(1, 1e9))),
  async run(session, id: number) {
    const { revokeOperatorToken } = await import('../../operator/tokens.ts')
    const revoked = await session.store.run(revokeOperatorToken, { id, event: eventBy('token revoke') })
    if (revoked === null) throw noSuchToken()
    await session.print(
      { id, revoked_at: instant(revoked.revokedAt) },
      `Token ${id} (${revoked.name}) is revoked.`,
    )
  },
}

function readName(text: string): string {
  if (/^[\x20-\x7E]{1,100}$/.test(text)) return text
  throw new InvalidArgumentError('It must have 1 to 100 printable ASCII characters.')
}

function readEnd(text: string): number {
  const at = Date.parse(text)
  if (at > Date.now()) return at
  throw new InvalidArgumentError('It must be a time in the future.')
}

export const tokenCommands: readonly AdminCommand[] = [create, list, revoke]
