/** Commands for the keys of an account. */
import { Argument, Option } from 'commander'
import { noSuchTeamKey, teamKeyEnded } from '../../errors/accounts.ts'
import { TEAM_KEY_OVERLAP_SECONDS } from '../../limits.ts'
import { instant } from '../../operator/account-json.ts'
import { type AdminCommand, find, nameOf, readNumber, type Who, whoArgument } from './command.ts'
import { eventBy } from './event.ts'

const idArgument = (name: string) =>
  new Argument(name, 'number of a team key, as the list shows it').argParser(
    readNumber(1, Number.MAX_SAFE_INTEGER),
  )

const list: AdminCommand = {
  usage: 'list',
  summary: 'List the own key of an account and its team keys, with what they spent. No key is shown.',
  examples: [['keys list ada@example.org', 'revoked ones come last']],
  shape: (command) => command.addArgument(whoArgument()),
  async run(session, who: Who) {
    const account = await find(session, who)
    const { shown } = await import('../../accounts/team-keys/fields.ts')
    const { teamKeys } = await import('../../accounts/team-keys/rows.ts')
    const items = (await session.reads.run(teamKeys, account.accountId)).map(shown)
    const own = { status: account.keyStatus, created_at: instant(account.keyCreatedAt) }
    await session.print(
      { account_id: account.accountId, own_key: own, items },
      [
        `own key  ${own.status ?? 'none'}, created ${own.created_at?.slice(0, 16) ?? 'never'}`,
        ...items.map(
          ({ credit_cap, id, last4, last_used_at, name, prefix, spent, state }) =>
            `${String(id).padStart(5)}  ${state.padEnd(7)}  ${prefix}…${last4}  ${spent} of ${credit_cap ?? 'any'} credits  ${(last_used_at ?? 'never used').slice(0, 16)}  ${name}`,
        ),
      ].join('\n'),
    )
  },
}

const revoke: AdminCommand = {
  usage: 'revoke',
  summary: 'Revoke a team key, from the next request on. It cannot be undone.',
  examples: [['keys revoke ada@example.org 7', 'by its number in the list']],
  shape: (command) => command.addArgument(whoArgument()).addArgument(idArgument('<id>')),
  async run(session, who: Who, id: number) {
    const account = await find(session, who)
    const { endTeamKey } = await import('../../accounts/team-keys/revoke.ts')
    const { accountId } = account
    const revoked = await session.store.run(endTeamKey, { accountId, id, event: eventBy('keys revoke') })
    if (revoked === null) throw noSuchTeamKey()
    await session.print(
      { account_id: accountId, id, state: revoked.state },
      `${nameOf(account)}: the team key ${id} (${revoked.name}) is revoked.`,
    )
  },
}

const replace: AdminCommand = {
  usage: 'replace',
  summary:
    'Replace the own key of an account, whose owner gets the new one by logging in; or, by its number, a team key, whose new key is printed.',
  examples: [
    ['keys replace ada@example.org', 'after a leak: the old key is refused from the next request on'],
    ['keys replace ada@example.org 7 --overlap 3600', 'the old team key is accepted for one more hour'],
  ],
  shape: (command) =>
    command
      .addArgument(whoArgument())
      .addArgument(idArgument('[id]'))
      .addOption(
        new Option('--overlap <seconds>', 'time for which the old team key is accepted')
          .argParser(readNumber(0, TEAM_KEY_OVERLAP_SECONDS))
          .default(0),
      ),
  async run(session, who: Who, id: number | undefined, { overlap }: { overlap: number }) {
    const account = await find(session, who)
    const { accountId } = account
    const event = eventBy('keys replace')
    if (id === undefined) {
      const { vault } = await session.secrets()
      const { replaceAccountKey } = await import('../../operator/keys.ts')
      await replaceAccountKey({ store: session.store, vault }, { accountId, event })
      const said = `${nameOf(account)}: the key is replaced; logging in returns the new one.`
      return await session.print({ account_id: accountId }, said)
    }
    const { replaceTeamKey } = await import('../../accounts/team-keys/rotate.ts')
    const { hashedTeamKey } = await import('../../secrets/keys.ts')
    const { apiKey, stored } = hashedTeamKey(await session.hashToken())
    const change = { accountId, id, key: stored, overlapMs: overlap * 1_000, event }
    const rotated = await session.store.run(replaceTeamKey, change)
    if (rotated === null) throw noSuchTeamKey()
    if (rotated === 'ended') throw teamKeyEnded()
    await session.print(
      { account_id: accountId, id, key: apiKey },
      `${nameOf(account)}: the team key ${id} (${rotated.name}) is replaced.\nTeam key  ${apiKey}`,
    )
  },
}

export const keyCommands: readonly AdminCommand[] = [list, revoke, replace]
