/** The keys of an account: listed, replaced and revoked. */

import { apiKey, text } from '../../accounts/field-schemas.ts'
import { endTeamKey } from '../../accounts/team-keys/end.ts'
import { teamKeys } from '../../accounts/team-keys/lineages.ts'
import { EXAMPLE_SHOWN, keyId, overlapSeconds, shown, shownKey } from '../../accounts/team-keys/list.ts'
import { replaceTeamKey } from '../../accounts/team-keys/rotate.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { hashedTeamKey } from '../../secrets/keys.ts'
import { replaceAccountKey } from '../account-changes.ts'
import { found } from './account-endpoints.ts'
import { operatorEndpoint } from './endpoint.ts'
import { account, accountId, orNull, reason } from './field-schemas.ts'

const ownKey = {
  status: orNull('state of the own key: active, suspended or revoked; null: it has none'),
  created_at: orNull('when the own key was created'),
}
const teamKey = Type.Object(shownKey)

const list = operatorEndpoint({
  verb: 'keys list',
  role: 'viewer',
  path: '/operator/v1/keys',
  title: 'Keys of an account',
  summary: 'Lists the own key of an account and its team keys, revoked ones last. No key is shown.',
  query: Type.Object({ account: text('e-mail address or number of the account') }),
  output: Type.Object({ account_id: accountId, own_key: Type.Object(ownKey), items: Type.Array(teamKey) }),
  failures: ['not_found'],
  command: {
    examples: [['keys list ada@example.org', 'revoked ones come last']],
    text: ({ items, own_key: own }) =>
      [
        `own key  ${own.status ?? 'none'}, created ${own.created_at?.slice(0, 16) ?? 'never'}`,
        ...items.map(
          ({ credit_cap, id, last4, last_used_at, name, prefix, spent, state }) =>
            `${String(id).padStart(5)}  ${state.padEnd(7)}  ${prefix}…${last4}  ${spent} of ${credit_cap ?? 'any'} credits  ${(last_used_at ?? 'never used').slice(0, 16)}  ${name}`,
        ),
      ].join('\n'),
  },
  example: {
    output: {
      account_id: 17,
      own_key: { status: 'active', created_at: '2026-01-01T12:00:00.000Z' },
      items: [EXAMPLE_SHOWN],
    },
  },
  async handle(context, { query }) {
    const { accountId: id, keyCreatedAt, keyStatus } = await found(context, query.account)
    const items = (await context.store.run(teamKeys, id)).map(shown)
    return {
      account_id: id,
      own_key: { status: keyStatus, created_at: isoTime(keyCreatedAt) },
      items,
    }
  },
})

const revoke = operatorEndpoint({
  verb: 'keys revoke',
  role: 'support',
  path: '/operator/v1/keys/revoke',
  final: true,
  title: 'Revoke a team key',
  summary: 'Ends every key with this id from the next request on.',
  input: Type.Object({ account, id: keyId, reason }),
  output: teamKey,
  failures: ['not_found'],
  command: {
    examples: [['keys revoke ada@example.org 7', 'by its number in the list']],
    json: (key, { account: account_id }) => ({ account_id, ...key }),
  },
  said: ({ id, name: key }, { name }) => `Revoked the team key ${id} (${key}) of ${name}.`,
  example: { input: { account: 17, id: 7 }, output: { ...EXAMPLE_SHOWN, state: 'revoked' as const } },
  async handle(context, { act, event, input }) {
    const { accountId: owner } = await found(context, input.account)
    return shown(await act(endTeamKey, { accountId: owner, id: input.id, event: event() }))
  },
})

const replace = operatorEndpoint({
  verb: 'keys replace',
  role: 'support',
  path: '/operator/v1/keys/replace',
  final: true,
  secrets: ['key'],
  title: 'Replace a key',
  summary:
    'Replaces the own key of an account, which is not shown: its owner gets the new one by logging in. With `id` it replaces a team key, and returns the new one, which is shown only now.',
  input: Type.Object({
    account,
    id: Type.Optional(keyId),
    overlap_seconds: Type.Optional(overlapSeconds),
    reason,
  }),
  output: Type.Object({
    account_id: accountId,
    key: Type.Optional(apiKey),
    team_key: Type.Optional(teamKey),
  }),
  failures: ['not_found', 'conflict'],
  command: {
    examples: [
      ['keys replace ada@example.org', 'after a leak: the old key is refused from the next request on'],
      ['keys replace ada@example.org 7 --overlap 3600', 'the old team key is accepted for one more hour'],
    ],
    words: ['account', 'id'],
    flags: { overlap_seconds: '--overlap' },
    needs: 'secrets',
    json: ({ team_key: replaced, ...data }) => ({ ...data, ...(replaced && { id: replaced.id }) }),
  },
  said: ({ team_key: replaced }, { name }) =>
    replaced === undefined
      ? `Replaced the key of ${name}; logging in returns the new one.`
      : `Replaced the team key ${replaced.id} (${replaced.name}) of ${name}.`,
  example: { input: { account: 17 }, output: { account_id: 17 } },
  async handle(context, { act, event, input: { account: named, id, overlap_seconds = 0 } }) {
    const { accountId: owner } = await found(context, named)
    if (id === undefined) {
      await replaceAccountKey(context, { accountId: owner, event: event() })
      return { account_id: owner }
    }
    const { apiKey: key, stored } = hashedTeamKey(context.hashToken)
    const change = { accountId: owner, id, key: stored, event: event() }
    const rotated = await act(replaceTeamKey, { ...change, overlapMs: overlap_seconds * 1_000 })
    return { account_id: owner, key, team_key: shown(rotated) }
  },
})

export const keyEndpoints = [list, revoke, replace]
