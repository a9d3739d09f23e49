/** People who register with a test service, and the mails they are sent. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { number } from './database.ts'
import { type Answer, startTestService, type TestService } from './service.ts'

export interface Letter {
  readonly to: string
  readonly subject: string
  readonly source: string
  /** The one-time or reset code in it. */
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
const PATIENCE_MS = 120_000

/** Tests make more requests from one address than people do. */
export const startWithoutIpLimits = (settings: Record<string, string> = {}) =>
  startTestService({ QUANTD_IP_LIMITS: 'off', ...settings })

/** Every mail sent so far to an address (as it was typed), the oldest first. */
export function letters(service: TestService, email?: string): Letter[] {
  const folder = join(service.dataDir, 'outbox')
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.eml')) : []
  return files
    .sort()
    .map((file) => letter(readFileSync(join(folder, file), 'utf8')))
    .filter(({ to }) => email === undefined || to === email)
}

const letter = (source: string): Letter => ({
  source,
  to: /^To: (.*)\r$/m.exec(source)![1],
  subject: /^Subject: (.*)\r$/m.exec(source)![1],
  code: /^(\d{6}|[A-Z2-7]{12})\r$/m.exec(source)?.[1] ?? null,
})

/** Waits until an address has been sent this many mails; returns the last. */
export async function letterNumber(service: TestService, count: number, email: string): Promise<Letter> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const found = letters(service, email)
    if (found.length >= count) return found[count - 1]
    assert.ok(Date.now() < deadline, `${email} has ${found.length} mails, not ${count}`)
    await sleep(5)
  }
}

/** Waits until the outbox has nothing to send, then tells how many mails the address has had. */
export async function letterCount(service: TestService, email: string): Promise<number> {
  const deadline = Date.now() + PATIENCE_MS
  while ((await number(service, 'SELECT count(*) FROM mails WHERE sealed IS NOT NULL')) > 0) {
    assert.ok(Date.now() < deadline, 'mails are still waiting')
    await sleep(20)
  }
  return letters(service, email).length
}

let people = 0
export const freshEmail = (): string => `person-${++people}@example.org`

export const register = (service: TestService, email: string, more: Record<string, unknown> = {}) =>
  service.call('/user/register', { body: { username: 'ada', email, password: PASSWORD, ...more } })

export const verify = (
  service: TestService,
  email: string,
  otp: string,
  more: Record<string, unknown> = {},
) => service.call('/user/verify-otp', { body: { email, otp, ...more } })

export const login = (
  service: TestService,
  email: string,
  password = PASSWORD,
  more: Record<string, unknown> = {},
) => service.call('/user/login', { body: { email, password, ...more } })

/** A registered account, made as people make theirs. */
export async function person(service: TestService, more: Record<string, unknown> = {}): Promise<Person> {
  const email = freshEmail()
  await register(service, email, more)
  const { code } = await letterNumber(service, 1, email)
  const verified = await verify(service, email, code!)
  assert.equal(verified.status, 200, verified.text)
  return { email, password: PASSWORD, key: verified.body.data.api_key }
}

export const forgotPassword = (service: TestService, email: string) =>
  service.call('/user/forgot-password', { body: { email } })

export const NEW_PASSWORD = 'another horse battery staple'

export const resetPassword = (service: TestService, email: string, otp: string, password = NEW_PASSWORD) =>
  service.call('/user/reset-password', { body: { email, otp, password } })

/** A person to whom a reset code was mailed. */
export async function forgetfulPerson(service: TestService): Promise<Person & { readonly code: string }> {
  const someone = await person(service)
  await forgotPassword(service, someone.email)
  const { code } = await letterNumber(service, 2, someone.email)
  return { ...someone, code: code! }
}

/** A code of six digits that is not this one. */
export const wrongCode = (code: string, offset = 1): string =>
  String((Number(code) + offset) % 1_000_000).padStart(6, '0')

export function refused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.body.error.code, code)
  assert.equal(answer.body.success, false)
}

/** The operation that `compute` and `failToCompute` call. */
export const COMPUTED = '/quantlib/economics/utility/log'

export const compute = (service: TestService, key: string) =>
  service.call(COMPUTED, { key, body: { wealth: 2 } })

export const failToCompute = (service: TestService, key: string) =>
  service.call(COMPUTED, { key, body: { wealth: -1 } })

/** The data of a reply to GET. */
export const dataOf = async (service: TestService, key: string, path: string) =>
  (await service.call(path, { key })).body.data

export const count = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

export const times = <Result>(many: number, work: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: many }, (_, index) => work(index)))
