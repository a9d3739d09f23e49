/** The text of every failure of sign-on by a provider, which people read in a page. */
import { Failure } from '../failure.ts'

export const signOnExpired = () =>
  new Failure(
    'sign_on_failed',
    'This sign-on was not begun in this browser, was used before, or took longer than 10 minutes: begin again.',
  )
export const signOnRefused = (provider: string) =>
  new Failure(
    'sign_on_failed',
    `${provider} did not sign you on, or its answer was not accepted: begin again. The operator of this service finds the reason in its log.`,
  )
export const providerAway = (provider: string) =>
  new Failure('unavailable', `${provider} cannot be reached now: try again later, or log in another way.`, {
    retryAfterSeconds: 30,
  })
export const noRole = (name: string, claim: string) =>
  new Failure(
    'role_forbidden',
    `You are signed on as ${name}, who has no role here: an administrator of your provider gives one by the claim ${claim}.`,
  )
export const addressNotVerified = (provider: string) =>
  new Failure(
    'sign_on_failed',
    `${provider} does not say that your e-mail address is verified: verify it there, then sign on again.`,
  )
