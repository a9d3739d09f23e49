/** Acts that wait for a second person. */
import type { ApprovalsData } from '../../../clients/typescript/operator-acts.ts'
import { Act } from './act.tsx'
import acts from './acts.js'
import { AccountLink, factsOf, nameOf, Paged, Table, Time } from './parts.tsx'

type Approval = ApprovalsData['items'][number]

export default function Approvals() {
  return (
    <div>
      <h1>Approvals</h1>
      <p>Acts that need a second person. Another person confirms the acts that you have asked for.</p>
      <Paged<ApprovalsData> path="v1/approvals">
        {({ items }, again) => (
          <Table
            label="Approvals"
            columns={['Act', 'Account', 'Asked by', 'Request', 'State', '']}
            rows={items.map((item) => [
              titleOf(item),
              item.account_id !== null &&
                (item.account_deleted ? (
                  <span class="failed">Account {item.account_id} was deleted</span>
                ) : (
                  <AccountLink account={{ ...item, account_id: item.account_id }} />
                )),
              <>
                {item.asked_by}
                <br />
                <Time at={item.asked_at} />
                {item.reason && (
                  <>
                    <br />
                    {item.reason}
                  </>
                )}
              </>,
              <span class="facts">{requestOf(item)}</span>,
              stateOf(item),
              item.state === 'waiting' && <Decisions item={item} onDone={again} />,
            ])}
          />
        )}
      </Paged>
    </div>
  )
}

const actOf = ({ path }: Approval) => acts.find((one) => one.path === path)

const titleOf = (item: Approval) => actOf(item)?.title ?? item.act

const requestOf = ({ request }: Approval) => factsOf(request, ['account']).join(', ')

const stateOf = ({ decided_at, decided_by, expires_at, state }: Approval) =>
  state === 'waiting' ? (
    <>
      waits until <Time at={expires_at} />
    </>
  ) : (
    <>
      {state}
      {decided_by !== null && <> by {decided_by}</>}
      {decided_at !== null && (
        <>
          <br />
          <Time at={decided_at} />
        </>
      )}
    </>
  )

interface DecisionsProps {
  readonly item: Approval
  onDone(): void
}

const Decisions = ({ item, onDone }: DecisionsProps) => (
  <span class="actions">
    {!item.yours && (
      <Act
        path="approvals/confirm"
        label="Confirm"
        given={{ id: item.id }}
        name={item.account_id === null ? undefined : nameOf({ ...item, account_id: item.account_id })}
        confirms={{
          act: actOf(item),
          facts: (
            <>
              <strong>{titleOf(item)}</strong>, asked by {item.asked_by}. {requestOf(item)}
            </>
          ),
        }}
        onDone={onDone}
      />
    )}
    <Act
      path="approvals/reject"
      label={item.yours ? 'Take back' : 'Reject'}
      given={{ id: item.id }}
      onDone={onDone}
    />
  </span>
)
