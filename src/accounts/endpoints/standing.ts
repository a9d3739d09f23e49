/** Endpoints that tell how an account stands: profile, credits, usage. */
import Type from 'typebox'
import { endpoint } from './endpoint.ts'
import { accountType, amount, flag, instant, keyStatus, listOf, text, whole } from './fields.ts'

const registeredProfile = Type.Object({
  user_id: whole('the account’s number'),
  email: text('the address'),
  full_name: text('full name'),
  credits: amount('current balance'),
  account_type: accountType(),
  created_at: instant('when the account was made'),
  mfa_enabled: flag('whether a second factor is switched on'),
  api_key_created_at: instant('when the key was made'),
  api_key_status: keyStatus,
})

const guestProfile = Type.Object({
  account_type: Type.Enum(['guest'], { description: 'always guest' }),
  credits: amount('current balance'),
  expires_at: instant('end of the key’s 24 hours'),
  api_key_created_at: instant('when the key was made'),
  api_key_status: keyStatus,
})

export const userProfile = endpoint({
  method: 'GET',
  path: '/user/profile',
  area: 'Accounts',
  title: 'Profile',
  summary: 'The account the key belongs to. A guest key has no user_id, address or name.',
  key: 'any',
  query: null,
  input: null,
  output: Type.Union([registeredProfile, guestProfile]),
  message: null,
  failures: [],
  example: {
    input: null,
    output: {
      user_id: 1,
      email: 'ada@example.org',
      full_name: 'ada',
      credits: 349,
      account_type: 'free',
      created_at: '2026-01-01T12:00:00.000Z',
      mfa_enabled: false,
      api_key_created_at: '2026-01-01T12:00:00.000Z',
      api_key_status: 'active',
    },
  },
})

export const userCredits = endpoint({
  method: 'GET',
  path: '/user/credits',
  area: 'Credits and usage',
  title: 'Credits',
  summary: 'Balance, and what it is made of. Guests too.',
  key: 'any',
  query: null,
  input: null,
  output: Type.Object({
    credits: amount('current balance'),
    granted: amount('sum of all grants and transfers'),
    spent: amount('sum of all charges, refunds taken off'),
    grants: listOf(
      Type.Object({
        at: instant('when'),
        credits: amount('how many'),
        reason: text('why, for example verification, guest_creation, transfer_in, admin_grant'),
      }),
      'what the account was given',
    ),
  }),
  message: null,
  failures: [],
  example: {
    input: null,
    output: {
      credits: 349,
      granted: 350,
      spent: 1,
      grants: [{ at: '2026-01-01T12:00:00.000Z', credits: 350, reason: 'verification' }],
    },
  },
})

export const userUsage = endpoint({
  method: 'GET',
  path: '/user/usage',
  area: 'Credits and usage',
  title: 'Usage history',
  summary:
    'Every computation that was admitted, newest first; failures and replays are in it with 0 credits. Registered accounts only.',
  key: 'registered',
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ description: 'items a page', minimum: 1, maximum: 1000, default: 50 }),
    ),
    cursor: Type.Optional(
      Type.String({ description: '`next_cursor` of the page before', minLength: 1, maxLength: 200 }),
    ),
  }),
  input: null,
  output: Type.Object({
    items: listOf(
      Type.Object({
        at: instant('when'),
        path: text('endpoint called'),
        status: whole('HTTP status it was answered with'),
        credits: amount('credits charged'),
        ip: text('address of the caller'),
        duration_ms: amount('time it took, in milliseconds'),
        request_id: text('X-Request-Id of the reply'),
      }),
      'computations, newest first',
    ),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'give it as `cursor` for the next page; null at the end',
    }),
  }),
  message: null,
  failures: ['invalid_input'],
  example: {
    input: null,
    output: {
      items: [
        {
          at: '2026-01-01T12:05:00.000Z',
          path: '/quantlib/pricing/bs/price',
          status: 200,
          credits: 1,
          ip: '192.0.2.10',
          duration_ms: 2,
          request_id: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e',
        },
      ],
      next_cursor: null,
    },
  },
})

const counted = { calls: whole('computations'), credits: amount('credits charged') }

export const userUsageSummary = endpoint({
  method: 'GET',
  path: '/user/usage/summary',
  area: 'Credits and usage',
  title: 'Usage summary',
  summary: 'Computations and credits by endpoint and by day, over the same rows as the history. Guests too.',
  key: 'any',
  query: null,
  input: null,
  output: Type.Object({
    by_endpoint: listOf(Type.Object({ path: text('endpoint'), ...counted }), 'totals by endpoint'),
    by_day: listOf(Type.Object({ day: text('day, UTC, YYYY-MM-DD'), ...counted }), 'totals by day'),
  }),
  message: null,
  failures: [],
  example: {
    input: null,
    output: {
      by_endpoint: [{ path: '/quantlib/pricing/bs/price', calls: 1, credits: 1 }],
      by_day: [{ day: '2026-01-01', calls: 1, credits: 1 }],
    },
  },
})
