/** One page for each failure code: condition, remedy, an example of the reply, and the endpoints that send it. */
import type { Described, Failures } from './described.ts'
import { failureDetails, failureMessages } from './failure-messages.ts'
import { replyHeaders } from './headers.ts'
import { indented } from './samples.ts'

/** The codes that say how long to wait. */
const WAITING = ['rate_limited', 'too_many_attempts', 'overloaded', 'unavailable']

export function failurePage(code: string, failures: Failures, endpoints: readonly Described[]): string {
  const { remedy, status, title } = failures[code]
  const senders = endpoints.filter((one) => one.failures.includes(code))
  return `${[
    `# ${status} ${code}`,
    `${title}.`,
    `**Remedy**: ${remedy}`,
    '## Example',
    `\`\`\`json\n${indented(failureReply(code))}\n\`\`\``,
    `Programs read \`error.code\`; the text of \`message\` may change. \`error.request_id\`, also in the header \`X-Request-Id\`, leads the operator to the log.${
      WAITING.includes(code)
        ? ' The header `Retry-After` holds the seconds to wait; it is absent where waiting would not help.'
        : ''
    }`,
    '## Sent by',
    senders.length === 0
      ? 'Every path, before the request reaches an endpoint.'
      : senders.map((one) => `- [${one.title}](/docs/reference/${one.id}.md)`).join('\n'),
    'All codes are on the page of [failure codes](/docs/reference/errors.md), in order of precedence.',
  ].join('\n\n')}\n`
}

/** An example of the whole reply. */
export function failureReply(code: string) {
  const details = failureDetails[code]
  return {
    success: false,
    message: failureMessages[code],
    error: { code, request_id: replyHeaders['X-Request-Id'].example, ...(details && { details }) },
  }
}
