/** The audit events of an operator's changes. */
import { userInfo } from 'node:os'
import { uuidv7 } from '../../../base/ids.ts'
import type { AdminEvent } from '../../../operators/audit-event.ts'

/** The audit event of a command; its actor is the user of this login. */
export const eventBy = (command: string): AdminEvent => ({
  auditId: uuidv7(),
  ip: 'cli',
  requestId: uuidv7(),
  method: 'CLI',
  path: `admin ${command}`,
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
