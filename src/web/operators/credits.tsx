/** Accounts that run out of credits. */
import type { AccountsShowData, RunningOutData } from '../../../clients/typescript/operator-acts.ts'
import { RUNNING_OUT } from '../../base/limits/operation.ts'
import { Status } from '../console/buttons.tsx'
import { whole } from '../console/numbers.ts'
import { Act } from './act.tsx'
import { AccountLink, Loaded, nameOf, Table } from './parts.tsx'
import { useGrowing } from './service.ts'

export default function Credits() {
  const [reply, again] = useGrowing<RunningOutData>('v1/running-out')
  return (
    <div>
      <h1>Accounts that run out of credits</h1>
      <p class="lead">
        At the pace of the last 24 hours their credits last for less than a week, or calls were refused for
        lack of them.
      </p>
      <Loaded reply={reply} onRetry={again}>
        {({ complete, items }) => (
          <>
            {!complete && <Status>Reading the audit …</Status>}
            {items.length === RUNNING_OUT.listed && (
              <p class="hint">The {RUNNING_OUT.listed} most urgent are shown.</p>
            )}
            <Table
              label="Accounts"
              columns={['Account', '(Credits)', '(Spent in 24 hours)', '(Refused)', '(Lasts for)', '']}
              empty="None."
              rows={items.map(({ account, hours_left, refused, spent }) => [
                <AccountLink account={account} />,
                whole(account.credits),
                whole(spent),
                whole(refused),
                lasts(account, hours_left),
                <Act
                  path="grants"
                  label="Grant"
                  given={{ account: account.account_id }}
                  name={nameOf(account)}
                  onDone={again}
                />,
              ])}
            />
          </>
        )}
      </Loaded>
    </div>
  )
}

function lasts({ credits }: AccountsShowData, hours: number | null) {
  if (credits === 0) return <span class="failed">out</span>
  if (hours === null) return '–'
  return hours < 48 ? `${Math.round(hours)} hours` : `${Math.round(hours / 24)} days`
}
