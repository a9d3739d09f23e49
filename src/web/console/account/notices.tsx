/** The balances at which the owner gets a mail. */
import { useState } from 'preact/hooks'
import type { UserNoticesData } from '../../../../clients/typescript/types.ts'
import { whole } from '../numbers.ts'
import { AccountForm } from './account-form.tsx'
import { Loaded, useReply } from './account-page.tsx'

const PATH = '/user/notices'

const FIELD = {
  name: 'credits',
  kind: 'text',
  required: false,
  label: 'Balances',
  description: 'separated by spaces, such as 1000 100 0; empty: no mails',
} as const

/** The numbers as they were typed; a text that is none is sent, so that the service says which. */
const thresholds = (text = '') =>
  text
    .split(/[\s;]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))

export function Notices({ email }: { readonly email: string }) {
  const [reply, again] = useReply<UserNoticesData>(PATH)
  const [set, setSet] = useState<readonly number[] | null>(null)
  return (
    <section class="chart">
      <h2>Notices</h2>
      <Loaded reply={reply} onRetry={again}>
        {({ credits }) => (
          <>
            <p role="status">{sentence(set ?? credits, email)}</p>
            <AccountForm<UserNoticesData>
              path={PATH}
              action="Set the notices"
              quiet
              fields={[FIELD]}
              start={{ credits: credits.join(' ') }}
              added={(sent) => ({ credits: thresholds(sent.credits) })}
              onDone={({ data }) => setSet(data.credits)}
            />
          </>
        )}
      </Loaded>
    </section>
  )
}

const sentence = (credits: readonly number[], email: string): string =>
  credits.length === 0
    ? 'No mail is sent when the credits fall.'
    : `A mail goes to ${email} when the credits fall to ${new Intl.ListFormat('en', { type: 'disjunction' }).format(credits.map(whole))}.`
