/**
 * Access tokens of the provider (JSON Web Tokens; RFC 9068, where the provider follows it): whether one is meant for this
 * service, and who it stands for. The library jose checks signature, issuer, audience and times.
 */
import type { JWTPayload } from 'jose'
import { scopeMissing, tokenInvalid } from '../../base/errors/requests.ts'
import { ACCESS_TOKEN_CHARACTERS, SIGN_ON_CLOCK_S } from '../../base/limits/operation.ts'
import { isAway, type Provider } from './provider.ts'

/** Signatures by a pair of keys. With a shared secret or none, everybody who knows the client's secret could make tokens. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA'],
]

/** The types of access tokens: that of RFC 9068, and the general one, which most providers send. */
const TYPES = [undefined, 'JWT', 'AT+JWT', 'APPLICATION/AT+JWT']

export interface TokenRules {
  /** A token is taken if it is for one of these. */
  readonly audiences: readonly string[]
  readonly scope: string
}

/** Whether a text has the form of a token: three parts in base64url. */
export const isToken = (text: string): boolean =>
  text.length <= ACCESS_TOKEN_CHARACTERS && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)

/**
 * `endsAt`: epoch milliseconds; the clocks of provider and node may differ by SIGN_ON_CLOCK_S. Throws Failure `api_key_invalid` or, for a token without the scope, `key_forbidden`; ProviderAway
 * if the keys cannot be read.
 */
export async function verifyToken(
  { issuer, keys }: Pick<Provider, 'issuer' | 'keys'>,
  { audiences, scope }: TokenRules,
  token: string,
) {
  const { jwtVerify } = await import('jose')
  const options = {
    algorithms: ALGORITHMS,
    audience: [...audiences],
    issuer,
    clockTolerance: SIGN_ON_CLOCK_S,
    requiredClaims: ['sub', 'exp'],
  }
  const { payload, protectedHeader } = await jwtVerify(token, keys, options).catch((error) => {
    if (isAway(error)) throw error
    throw tokenInvalid(reasonOf(error))
  })
  if (!TYPES.includes(protectedHeader.typ?.toUpperCase()) || isOfAnotherKind(payload))
    throw tokenInvalid('is a token of another kind, such as an ID token')
  // Without a proof by the client's key, such a token belongs to a thief (RFC 9449, section 7.1; RFC 8705, section 3).
  if (payload.cnf !== undefined)
    throw tokenInvalid('is bound to a key of its client, whose proof is not supported')
  const scopes = scopesOf(payload)
  if (!scopes.includes(scope) && !scopes.includes(nameIn(scope))) throw scopeMissing(scope)
  return { issuer, subject: payload.sub!, endsAt: (payload.exp! + SIGN_ON_CLOCK_S) * 1_000 }
}

/** ID tokens name the hash of what came with them; Keycloak names the kind of every token. */
const isOfAnotherKind = ({ at_hash, c_hash, typ }: JWTPayload): boolean =>
  at_hash !== undefined || c_hash !== undefined || (typ !== undefined && typ !== 'Bearer')

/** `scope` is a text (RFC 9068); `scp` a text (Entra ID) or a list (Okta). */
function scopesOf({ scope, scp }: JWTPayload): string[] {
  const texts = [scope, scp].flat().filter((text) => typeof text === 'string')
  return texts.flatMap((text) => text.split(' '))
}

/** Entra ID takes the scope with the address of the service before it (`api://…/quantd`), and writes only its name into tokens. */
const nameIn = (scope: string): string => scope.slice(scope.lastIndexOf('/') + 1)

/** The reason in words, after "the access token". */
function reasonOf({ claim, code }: { readonly code?: string; readonly claim?: string }): string {
  switch (code) {
    case 'ERR_JWT_EXPIRED':
      return 'has expired'
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return CLAIMS[claim ?? ''] ?? 'lacks a claim'
    case 'ERR_JWKS_NO_MATCHING_KEY':
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS':
      return 'is signed by a key that the provider does not publish'
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return 'has a wrong signature'
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
      return 'is signed by an algorithm that is not accepted'
    default:
      return 'cannot be read'
  }
}

const CLAIMS: Readonly<Record<string, string>> = {
  iss: 'is of another issuer',
  aud: 'is for another service',
  nbf: 'is not valid yet',
}
