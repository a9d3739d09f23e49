/** The life cycle of an account: guest, registration, key change, second factor, password change and reset. */
import { Secret, TOTP } from 'otpauth'
import { PASSWORD } from '../fuzz/accounts.ts'
import type { ApiDocument } from '../fuzz/document.ts'
import type { Answer, Lane } from '../fuzz/lane.ts'
import type { Mailbox } from '../fuzz/mailbox.ts'
import type { PlannedRequest } from '../fuzz/requests.ts'

export interface LifeParts {
  readonly name: string
  readonly lane: Lane
  readonly document: ApiDocument
  readonly mailbox: Mailbox
  readonly isFaulty: () => boolean
}

/** A step got no reply or another status, so the state of the account is unknown. */
class Abandoned extends Error {}

const LOG = '/quantlib/economics/utility/log'
const OTHER_PASSWORD = `${PASSWORD}, changed`
const THIRD_PASSWORD = `${PASSWORD}, reset`

/** Runs one life cycle. @param number makes the e-mail address unique. @returns whether all steps were completed. */
export async function liveOnce(parts: LifeParts, number: number): Promise<boolean> {
  try {
    await live(parts, number)
    return true
  } catch (error) {
    if (error instanceof Abandoned) return false
    throw error
  }
}

async function live(parts: LifeParts, number: number): Promise<void> {
  const { document, isFaulty, lane, mailbox, name } = parts
  const email = `${name}-${number}@example.org`
  let step = 0

  const call = async (
    path: string,
    body: object | null,
    key: string | null,
    status = 200,
  ): Promise<Answer> => {
    step += 1
    const endpoint = document.endpoints.find((one) => one.path === path)!
    const headers: [string, string][] = [['X-Request-Id', `${name}-${number}-${step}`]]
    if (key !== null) headers.push(['X-API-Key', key])
    if (body !== null) headers.push(['Content-Type', 'application/json'])
    const planned: PlannedRequest = {
      kind: 'life of an account',
      endpoint,
      method: endpoint.method,
      target: path,
      headers,
      body: body === null ? null : Buffer.from(JSON.stringify(body)),
      statuses: isFaulty() ? null : [status],
    }
    const answer = await lane.send(number, planned, null)
    if (answer === null || answer.status !== status) throw new Abandoned()
    return answer
  }
  const code = async (count: number): Promise<string> => {
    try {
      return await mailbox.code(email, count)
    } catch (error) {
      if (!isFaulty()) lane.violated(number, (error as Error).message, Buffer.from(email), null)
      throw new Abandoned()
    }
  }
  const same = (what: string, one: unknown, other: unknown) => {
    if (one !== other) lane.violated(number, `${what}: ${one} is not ${other}`, Buffer.from(email), null)
  }

  const guest = (await call('/guest/create', { device_id: name, device_name: 'd', platform: 'soak' }, null))
    .body.data
  await call(LOG, { wealth: 2 }, guest.api_key)
  const applicant = { username: 'Soak', email, password: PASSWORD, guest_api_key: guest.api_key }
  // The reply may contain further fields that the confirmation must repeat.
  const { email: _, message: __, ...bound } = (await call('/user/register', applicant, null)).body.data
  const otp = await code(0)
  await call('/user/verify-otp', { email, otp: otp === '000000' ? '000001' : '000000', ...bound }, null, 401)
  const first = (await call('/user/verify-otp', { email, otp, ...bound }, null)).body.data.api_key
  await call(LOG, { wealth: 2 }, guest.api_key, 401)
  const login = await call('/user/login', { email, password: PASSWORD }, null)
  same('API key in the reply to login', login.body.data.api_key, first)
  // The registration grants 350; the guest had 49 left.
  same('credits', login.body.data.user.credits, 399)
  await call('/user/login', { email, password: OTHER_PASSWORD }, null, 401)

  await call(LOG, { wealth: 2 }, first)
  await call(LOG, { wealth: -2 }, first, 422)
  const { body: standing } = await call('/user/credits', null, first)
  same('credits', standing.data.credits, 398)
  await call('/user/usage', null, first)
  await call('/user/usage/summary', null, first)

  const second = (await call('/user/regenerate-api-key', {}, first)).body.data.api_key
  await call('/user/profile', null, first, 401)
  await call('/user/profile', null, second)

  const { secret } = (await call('/user/mfa/setup', { password: PASSWORD }, second)).body.data
  const totp = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const enabled = await call('/user/mfa/enable', { code: totp }, second)
  const [recovery, another] = enabled.body.data.recovery_codes
  await call('/user/login', { email, password: PASSWORD }, null, 401)
  await call('/user/login', { email, password: PASSWORD, mfa_code: recovery }, null)
  await call('/user/mfa/disable', { code: recovery }, second, 401)
  await call('/user/mfa/disable', { code: another }, second)

  await call('/user/change-password', { password: PASSWORD, new_password: OTHER_PASSWORD }, second)
  await call('/user/login', { email, password: PASSWORD }, null, 401)
  await call('/user/forgot-password', { email }, null)
  const reset = await code(1)
  await call('/user/reset-password', { email, otp: reset, password: THIRD_PASSWORD }, null)
  await call('/user/login', { email, password: THIRD_PASSWORD }, null)
}
