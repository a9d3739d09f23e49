/** People who register with a test service, and the mails they are sent. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { number } from './database.ts'
import { type Answer, closedAfter, startTestService, type TestService } from './service.ts'
import { until } from './until.ts'

export interface Letter {
  readonly to: string
  readonly subject: string
  readonly source: string
  /** The one-time or reset code in the mail. */
  readonly code: string | null
}

export interface Person {
  readonly email: string
  readonly password: string
  readonly key: string
}

export const PASSWORD = 'correct horse battery staple'
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

/** A test service, and what people do there. */
export type PeopleService = TestService & ReturnType<typeof peopleOf>

/** A service without limits per address, because tests make more requests from one address than people do. */
export async function startWithoutIpLimits(
  settings: Record<string, string> = {},
  options?: Parameters<typeof startTestService>[1],
): Promise<PeopleService> {
  const service = await startTestService({ QUANTD_IP_LIMITS: 'off', ...settings }, options)
  return Object.assign(service, peopleOf(service))
}

/** Such a service for the file, or for the suite that is being declared, which closes it after its tests. */
export async function useService(...setup: Parameters<typeof startWithoutIpLimits>): Promise<PeopleService> {
  return closedAfter(await startWithoutIpLimits(...setup))
}

type More = Readonly<Record<string, unknown>>

/** The actions of people at a service: each function sends a request, except those that read mails. */
export function peopleOf(service: TestService) {
  const post = (path: string, body: object) => service.call(path, { body })
  const letterOf = lettersOnce()
  const people = {
    /** Every mail sent so far to an address (as it was typed), the oldest first. */
    letters: (email?: string): Letter[] => lettersIn(service.dataDir, email, letterOf),
    /** Waits until an address has been sent this many mails; returns the last. */
    async letterNumber(count: number, email: string): Promise<Letter> {
      await until(() => people.letters(email).length >= count, `${email} has ${count} mails`)
      return people.letters(email)[count - 1]
    },
    /** Waits until the outbox has nothing to send, then tells how many mails the address has had. */
    async letterCount(email: string): Promise<number> {
      const waiting = 'SELECT count(*) FROM mails WHERE sealed IS NOT NULL'
      await until(async () => (await number(service, waiting)) === 0, 'no mail is waiting')
      return people.letters(email).length
    },
    register: (email: string, more: More = {}) =>
      post('/user/register', { username: 'ada', email, password: PASSWORD, ...more }),
    verify: (email: string, otp: string, more: More = {}) =>
      post('/user/verify-otp', { email, otp, ...more }),
    resend: (email: string) => post('/user/resend-otp', { email }),
    login: (email: string, password = PASSWORD, more: More = {}) =>
      post('/user/login', { email, password, ...more }),
    /** Registers a person and verifies the account, through the endpoints that people use. */
    async person(more: More = {}): Promise<Person> {
      const email = freshEmail()
      await people.register(email, more)
      const { code } = await people.letterNumber(1, email)
      const verified = await people.verify(email, code!)
      assert.equal(verified.status, 200, verified.text)
      return { email, password: PASSWORD, key: verified.body.data.api_key }
    },
    forgotPassword: (email: string) => post('/user/forgot-password', { email }),
    resetPassword: (email: string, otp: string, password = NEW_PASSWORD) =>
      post('/user/reset-password', { email, otp, password }),
    /** A person to whom a reset code was mailed. */
    async forgetfulPerson(): Promise<Person & { readonly code: string }> {
      const someone = await people.person()
      await people.forgotPassword(someone.email)
      const { code } = await people.letterNumber(2, someone.email)
      return { ...someone, code: code! }
    },
    regenerate: (key: string, body?: object) =>
      service.call('/user/regenerate-api-key', { method: 'POST', key, ...(body && { body }) }),
    setUpSecondFactor: (key: string, password = PASSWORD) =>
      service.call('/user/mfa/setup', { key, body: { password } }),
    enableSecondFactor: (key: string, code: string) =>
      service.call('/user/mfa/enable', { key, body: { code } }),
    disableSecondFactor: (key: string, code: string) =>
      service.call('/user/mfa/disable', { key, body: { code } }),
    compute: (key: string) => service.call(COMPUTED, { key, body: { wealth: 2 } }),
    failToCompute: (key: string) => service.call(COMPUTED, { key, body: { wealth: -1 } }),
    /** The data of a reply to GET. */
    dataOf: async (key: string, path: string) => (await service.call(path, { key })).body.data,
  }
  return people
}

/** The mails of a node without an SMTP server, in its data folder. */
export function lettersIn(dataDir: string, email?: string, letterOf = lettersOnce()): Letter[] {
  const folder = join(dataDir, 'outbox')
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.eml')) : []
  return files
    .sort()
    .map((file) => letterOf(join(folder, file)))
    .filter(({ to }) => email === undefined || to === email)
}

/** A function that reads each mail's file only once, since its content does not change. */
function lettersOnce(): (path: string) => Letter {
  const read = new Map<string, Letter>()
  return (path) => {
    const known = read.get(path) ?? letter(readFileSync(path, 'utf8'))
    read.set(path, known)
    return known
  }
}

const letter = (source: string): Letter => ({
  source,
  to: /^To: (.*)\r$/m.exec(source)![1],
  subject: /^Subject: (.*)\r$/m.exec(source)![1],
  code: /^(\d{6}|[A-Z2-7]{12})\r$/m.exec(source)?.[1] ?? null,
})

let emails = 0
export const freshEmail = (): string => `person-${++emails}@example.org`

export const NEW_PASSWORD = 'another horse battery staple'

/** A code of six digits that is not this one. */
export const wrongCode = (code: string, offset = 1): string =>
  String((Number(code) + offset) % 1_000_000).padStart(6, '0')

/** The code that an authenticator app shows, on a clock that is ahead. */
export const oneTimeCode = (secret: string, aheadMs = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + aheadMs })

export function refused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.body.error.code, code)
  assert.equal(answer.body.success, false)
}

/** The operation that people call. */
export const COMPUTED = '/quantlib/economics/utility/log'

export const count = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

export const times = <Result>(many: number, work: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: many }, (_, index) => work(index)))
