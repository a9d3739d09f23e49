/** The team keys of the account. */
import { Type } from '../../base/type.ts'
import { accountEndpoint } from '../account-endpoint.ts'
import { listOf } from '../fields.ts'
import { EXAMPLE_SHOWN, shown, shownKey } from './fields.ts'
import { teamKeys } from './rows.ts'

export const listTeamKeys = accountEndpoint({
  path: '/user/keys',
  area: 'Team keys',
  title: 'Team keys',
  summary:
    'Lists the team keys of the account, the newest first and revoked ones last, with what each may call, has spent and when it was last used.',
  key: 'registered',
  output: Type.Object({ items: listOf(Type.Object(shownKey), 'team keys, newest first') }),
  example: { output: { items: [EXAMPLE_SHOWN] } },
  async handle({ store }, { caller }) {
    return { items: (await store.run(teamKeys, caller.accountId)).map(shown) }
  },
})
