/** Guides of the reference that are read from top to bottom: text with code. */
import type { Offer } from './described.ts'
import { credits } from './guide.ts'
import { ORIGIN } from './samples.ts'

export interface Tutorial {
  readonly id: string
  readonly title: string
  readonly steps: readonly {
    /** Plain text; `backticks` mark code. */
    readonly text: string
    readonly code?: { readonly language: string; readonly text: string }
  }[]
}

export const tutorials = ({ initialCredits }: Offer): readonly Tutorial[] => [
  {
    id: 'first-steps',
    title: 'First steps',
    steps: [
      {
        text: `Create a guest key. It needs no e-mail address, is valid for 24 hours and holds ${credits(initialCredits.guest)}.`,
        code: {
          language: 'curl',
          text: `curl -sS ${ORIGIN}/guest/create \\\n  -H 'Content-Type: application/json' \\\n  -d '{"device_id":"d-1","device_name":"laptop","platform":"linux"}'`,
        },
      },
      {
        text: 'Put the `api_key` of the reply into the environment.',
        code: { language: 'shell', text: "export QUANTD_API_KEY='qd_guest_…'" },
      },
      {
        text: 'Price an option. The reply holds the price; its headers tell the charge and the credits left.',
        code: {
          language: 'curl',
          text: `curl -sS -i ${ORIGIN}/quantlib/pricing/bs/price \\\n  -H "X-API-Key: $QUANTD_API_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"spot":100,"strike":105,"risk_free_rate":0.05,"volatility":0.2,"time_to_maturity":1}'`,
        },
      },
      {
        text: `To keep a key, register: \`POST /user/register\` sends a code by mail, and \`POST /user/verify-otp\` returns a permanent key with ${credits(initialCredits.registered)}. With \`guest_api_key\` in the registration, the credits and the history of the guest key move along. The [console](/#/register) does the same.`,
      },
    ],
  },
  {
    id: 'python',
    title: 'Python',
    steps: [
      {
        text: 'The folder `clients/python/` of the project contains a client for Python ≥ 3.9 without dependencies. It takes numbers, lists, numpy arrays and pandas data frames; many rows are sent as columns.',
        code: { language: 'shell', text: 'pip install ./clients/python' },
      },
      {
        text: 'One method per operation, with the fields of the request as arguments:',
        code: {
          language: 'Python',
          text: `import quantd\n\nclient = quantd.Client.guest("${ORIGIN}")\nprint(client.black_scholes_price(spot=100, strike=[90, 100, 110], risk_free_rate=0.05, volatility=0.2, time_to_maturity=1))`,
        },
      },
    ],
  },
  {
    id: 'typescript',
    title: 'TypeScript',
    steps: [
      {
        text: 'The folder `clients/typescript/` contains a client without dependencies, with one typed method per endpoint. It retries computations safely after a lost reply, and after 429 and 503.',
        code: {
          language: 'TypeScript',
          text: `import { createClient } from 'quantd-client'\n\nconst quantd = createClient({ baseUrl: '${ORIGIN}', apiKey: process.env.QUANTD_API_KEY })\nconsole.log(await quantd.economicsUtilityLog({ wealth: 100000 }))`,
        },
      },
    ],
  },
  {
    id: 'retrying',
    title: 'Retrying',
    steps: [
      {
        text: 'Send an `Idempotency-Key` with each computation. If the reply is lost, or is 429 or 503, wait for the seconds in `Retry-After` (without it: 1 s, then twice as long each time), and send the same request with the same key. A result that was charged is returned again without a second charge. Both clients do this.',
        code: {
          language: 'curl',
          text: `curl -sS --retry 5 ${ORIGIN}/quantlib/economics/utility/log \\\n  -H "X-API-Key: $QUANTD_API_KEY" \\\n  -H 'Idempotency-Key: my-call-1' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"wealth":100000}'`,
        },
      },
      {
        text: 'Do not repeat 400, 401, 402, 403, 404, 413, 415 and 422: the same request gets the same reply.',
      },
    ],
  },
]
