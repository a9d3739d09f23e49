/** The accounts that a search found; if it found one, its page is shown. */

import { useEffect } from 'preact/hooks'
import type { SearchData } from '../../../clients/typescript/operator-acts.ts'
import { OPERATOR_PAGE } from '../../base/limits/operation.ts'
import { whole } from '../console/numbers.ts'
import { AccountLink, Loaded, Table } from './parts.tsx'
import { useReply, withQuery } from './service.ts'

const BY = { number: 'number', email: 'e-mail address', key: 'key', request_id: 'request' }

export default function Find({ hash }: { readonly hash: string }) {
  const q = new URLSearchParams(hash.split('?')[1]).get('q') ?? ''
  const [reply, again] = useReply<SearchData>(withQuery('v1/search', { q }))
  const items = reply?.success ? reply.data.items : []
  useEffect(() => {
    const [first, ...others] = items
    if (first && others.length === 0) location.replace(`#/account/${first.account.account_id}`)
  }, [reply])
  return (
    <div>
      <h1>Find</h1>
      <Loaded reply={reply} onRetry={again}>
        {() =>
          items.length === 0 ? (
            <div class="empty">
              <p>No account matches “{q}”.</p>
              <p>
                The beginning of an e-mail address, an account’s number, a key or the first characters of a
                team key, and the id of a request are searched for.
              </p>
            </div>
          ) : (
            <>
              <p class="hint" role="status">
                {items.length < OPERATOR_PAGE.usual
                  ? `${whole(items.length)} found`
                  : `The first ${items.length} are shown: enter more of the address to find others.`}
              </p>
              <Table
                label="Accounts"
                columns={['Account', 'Found by', 'Type', '(Credits)', 'Key']}
                rows={items.map(({ account, matched_by }) => [
                  <AccountLink account={account} />,
                  BY[matched_by],
                  account.account_type,
                  whole(account.credits),
                  account.api_key_status ?? 'none',
                ])}
              />
            </>
          )
        }
      </Loaded>
    </div>
  )
}
