/** The mails and webhook events that wait, which can be sent again. */
import type { MailsData, WebhooksData } from '../../../clients/typescript/operator-acts.ts'
import { whole } from '../console/numbers.ts'
import { Act } from './act.tsx'
import { ago, Loaded, Paged, Table, Time } from './parts.tsx'
import { may, useReply } from './service.ts'

export default function Deliveries() {
  return (
    <div>
      <h1>Deliveries</h1>
      <section aria-label="Mails">
        <h2>Mails that wait</h2>
        <Paged<MailsData> path="v1/mails" turns={['Before', 'Next']}>
          {({ items }, again) => (
            <Table
              label="Waiting mails"
              columns={['To', 'Written', '(Attempts)', 'Next attempt', 'Last error', '']}
              empty="None waits."
              rows={items.map(({ attempts, created_at, id, last_error, next_at, to }) => [
                to,
                ago(created_at),
                whole(attempts),
                <Time at={next_at} />,
                last_error ?? '–',
                <Act path="mails/send" label="Send again" given={{ id }} name={to} onDone={again} />,
              ])}
            />
          )}
        </Paged>
      </section>
      {may('admin') && <Webhooks />}
    </div>
  )
}

function Webhooks() {
  const [reply, again] = useReply<WebhooksData>('v1/webhooks')
  return (
    <section aria-label="Webhooks">
      <h2>Webhooks</h2>
      <p class="actions">
        <Act path="webhooks/create" label="Create an endpoint" isSmall={false} onDone={again} />
      </p>
      <Loaded reply={reply} onRetry={again}>
        {({ items }) => (
          <Table
            label="Endpoints"
            columns={['Endpoint', 'Events', '(Waiting)', '(Parked)', '']}
            empty="There is no endpoint."
            rows={items.map(({ id, parked, types, url, waiting }) => [
              url,
              types === null ? 'all' : types.join(', '),
              whole(waiting),
              parked > 0 ? <span class="failed">{whole(parked)}</span> : '0',
              <>
                <Act path="webhooks/replay" label="Send again" given={{ id }} name={url} onDone={again} />
                <Act path="webhooks/test" label="Test" given={{ id }} name={url} />
                <Act path="webhooks/delete" label="Delete" given={{ id }} name={url} onDone={again} />
              </>,
            ])}
          />
        )}
      </Loaded>
    </section>
  )
}
