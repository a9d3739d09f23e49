/** Operators' tokens, and the rotation of the master key. */

import { givenInstant, rowNumber, text, whole } from '../../accounts/field-schemas.ts'
import { storedEnd } from '../../accounts/team-keys/list.ts'
import { masterKeyUnsettled, unreadableSecrets } from '../../base/errors/operator.ts'
import { MASTER_KEY_WAIT_S, OPERATOR_NAME_CHARACTERS } from '../../base/limits/operation.ts'
import { plural } from '../../base/text.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { newOperatorToken } from '../../secrets/keys.ts'
import { ROLES } from '../roles.ts'
import { rotateMasterKey, UnreadableSecrets } from '../rotation.ts'
import { addOperatorToken, operatorTokens, revokeOperatorToken, tokenJson } from '../tokens.ts'
import { operatorEndpoint } from './endpoint.ts'
import { orNull, reason } from './field-schemas.ts'

const role = Type.Enum([...ROLES], { description: 'each role has all rights of those before it' })
const shownToken = {
  id: whole('number of the token'),
  name: text('name'),
  role,
  created_at: text('when it was created'),
  expires_at: orNull('when it ends; null: never'),
  revoked_at: orNull('when it was revoked; null: it was not'),
  last_used_at: orNull('when it was last used, to the minute'),
  made_by: orNull('the token, person or login that made it; null: it was made before this was recorded'),
}
const EXAMPLE_TOKEN = {
  id: 3,
  name: 'billing system',
  role: 'billing' as const,
  created_at: '2026-01-01T12:00:00.000Z',
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  made_by: 'ada',
}

const list = operatorEndpoint({
  verb: 'token list',
  role: 'admin',
  path: '/operator/v1/tokens',
  title: 'Tokens',
  summary: 'Lists the operator tokens by name, the newest first. No secret is shown.',
  output: Type.Object({ items: Type.Array(Type.Object(shownToken)) }),
  command: {
    examples: [['token list', 'all tokens, revoked ones included']],
    line: ({ id, last_used_at, made_by, name, revoked_at, role }) => [
      String(id).padStart(5),
      role.padEnd(8),
      revoked_at === null ? 'in use ' : 'revoked',
      (last_used_at ?? 'never used').slice(0, 16),
      made_by === null ? name : `${name}, made by ${made_by}`,
    ],
  },
  example: { output: { items: [EXAMPLE_TOKEN] } },
  handle: async ({ store }) => ({ items: (await store.run(operatorTokens)).map(tokenJson) }),
})

const create = operatorEndpoint({
  verb: 'token create',
  role: 'admin',
  path: '/operator/v1/tokens/create',
  secrets: ['token'],
  title: 'Create a token',
  summary:
    'Creates a token for a person or a program. It is shown only now. It ends with the token or session that makes it at the latest, and one of a person who signed on after 90 days.',
  input: Type.Object({
    name: Type.String({
      description: 'name of the person or program, for the audit',
      minLength: 1,
      maxLength: OPERATOR_NAME_CHARACTERS,
      pattern: '^[\\x20-\\x7E]+$',
    }),
    role,
    expires_at: Type.Optional(givenInstant('when it ends, at the latest')),
    reason,
  }),
  output: Type.Object({ token: text('the token, in full'), ...shownToken }),
  failures: ['conflict'],
  command: {
    examples: [
      ['token create "billing system" --role billing', 'may grant and reverse, and all that support may'],
      ['token create ada --role viewer --expires 2027-01-01', 'may read until then'],
    ],
    words: ['name'],
    flags: { expires_at: '--expires' },
    needs: 'secrets',
  },
  said: ({ expires_at: end, id, name, role }) =>
    `Created token ${id} (${name}, ${role})${end === null ? '' : `, which ends at ${end}`}.`,
  undo: ({ id }) => ({ path: '/operator/v1/tokens/revoke', body: { id } }),
  example: {
    input: { name: 'billing system', role: 'billing' as const },
    output: { token: 'qd_op_Vw2LkTtYb6NhXc9RjAe1GmUo3DiQv7SxKzB4fPqZ0s8', ...EXAMPLE_TOKEN },
  },
  async handle({ hashToken, store }, { act, by, event, input }) {
    const token = newOperatorToken()
    const added = await act(addOperatorToken, {
      name: input.name,
      role: input.role,
      expiresAt: await storedEnd(store, input.expires_at ?? null),
      hash: hashToken(token),
      event: event(),
      madeWith: by.id === null || by.person === null ? null : { id: by.id, person: by.person },
    })
    return { token, ...tokenJson(added) }
  },
})

const revoke = operatorEndpoint({
  verb: 'token revoke',
  role: 'admin',
  path: '/operator/v1/tokens/revoke',
  final: true,
  title: 'Revoke a token',
  summary:
    'Ends a token, and all tokens that were made with it or in its sessions, from the next request on.',
  input: Type.Object({ id: rowNumber('number of the token'), reason }),
  output: Type.Object(shownToken),
  failures: ['not_found'],
  command: {
    examples: [['token revoke 3', 'by its number in the list']],
  },
  said: ({ id, name }) => `Revoked token ${id} (${name}), and those that were made with it.`,
  example: { input: { id: 3 }, output: { ...EXAMPLE_TOKEN, revoked_at: '2026-02-01T00:00:00.000Z' } },
  handle: async (_, { act, event, input }) =>
    tokenJson(await act(revokeOperatorToken, { id: input.id, event: event() })),
})

const rotate = operatorEndpoint({
  verb: 'rotate-master-key',
  role: 'admin',
  path: '/operator/v1/rotate-master-key',
  title: 'Rotate the master key',
  summary:
    'Encrypts every secret under the first of the master keys. First configure both keys on every node, the new one before the old one, and wait a minute. Repeat it until `old_keys_removable`.',
  input: Type.Object({
    drop_codes: Type.Optional(
      Type.Boolean({ description: 'invalidate mailed codes that are under an older key', default: false }),
    ),
    reason,
  }),
  output: Type.Object({
    master_key_id: text('the key that secrets are under now'),
    rewrapped: Type.Record(Type.String(), Type.Integer(), { description: 'secrets by kind' }),
    codes_dropped: whole('mailed codes that were invalidated'),
    codes_left_until: orNull('when the last mailed code under an older key expires; null: there is none'),
    damaged: whole('secrets that could not be decrypted'),
    old_keys_removable: Type.Boolean({ description: 'whether older keys may be removed' }),
    older_keys: whole('older master keys that are configured; 0: there is no key to rotate to or from'),
  }),
  failures: ['conflict'],
  said({
    codes_left_until: until,
    damaged,
    master_key_id: id,
    old_keys_removable: isDone,
    older_keys,
    rewrapped,
  }) {
    const count = Object.values(rewrapped).reduce((sum, one) => sum + one, 0)
    if (damaged > 0) return `${plural(damaged, 'secret')} could not be decrypted: keep the older master keys.`
    if (until !== null) return `Mailed codes need the older master keys until ${until}: rotate again then.`
    if (!isDone)
      return 'A node still encrypts under an older master key: put the new key first on every node, then rotate again.'
    if (older_keys === 0)
      return `There is only one master key, ${id}: to rotate, put a new key before it on every node, wait a minute and rotate again.`
    return `Encrypted ${plural(count, 'secret')} under the master key ${id}; the older keys may be removed.`
  },
  example: {
    input: {},
    output: {
      master_key_id: 'k1',
      rewrapped: { api_key: 2 },
      codes_dropped: 0,
      codes_left_until: null,
      damaged: 0,
      old_keys_removable: true,
      older_keys: 1,
    },
  },
  async handle({ isMasterKeySettled, masterKeyIds, reads, store, vault }, { event, input }) {
    // An unsettled node might rotate to the key that is to be removed.
    if (!isMasterKeySettled()) throw masterKeyUnsettled(MASTER_KEY_WAIT_S)
    const ids = masterKeyIds()
    const parts = { store, reads, vault, masterKeyIds: ids, report: () => undefined }
    const codes = input.drop_codes ? 'drop' : 'leave'
    const rotation = await rotateMasterKey(parts, { codes, event }).catch((error) => {
      throw error instanceof UnreadableSecrets ? unreadableSecrets() : error
    })
    return {
      master_key_id: rotation.masterKeyId,
      rewrapped: rotation.rewrapped,
      codes_dropped: rotation.codesDropped,
      codes_left_until: rotation.codesLeft === null ? null : isoTime(rotation.codesLeft.until),
      damaged: rotation.damaged.length,
      old_keys_removable: rotation.complete && rotation.damaged.length === 0,
      older_keys: ids.length - 1,
    }
  },
})

export const tokenEndpoints = [list, create, revoke, rotate]
