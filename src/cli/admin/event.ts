/** The audit events of an operator's changes. */
import { userInfo } from 'node:os'
import { uuidv7 } from '../../ids.ts'
import type { AdminEvent } from '../../operator/event.ts'

/** The audit event of a verb; its actor is the user of this login. */
export const eventBy = (verb: string): AdminEvent => ({
  auditId: uuidv7(),
  ip: 'cli',
  requestId: uuidv7(),
  method: 'CLI',
  path: `admin ${verb}`,
  actor: actor(),
})

function actor(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a user id that has no name.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}
