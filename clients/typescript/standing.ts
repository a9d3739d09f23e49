/** The standing of a key after the reply from a path. */
import { type HeaderSource, type ReplyStanding, standingIn } from '../../src/wire/standing.ts'

export interface Standing extends ReplyStanding {
  readonly path: string
}

export const standing = (path: string, headers: HeaderSource): Standing => ({ path, ...standingIn(headers) })
