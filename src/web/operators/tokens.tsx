/** The operators' tokens, of programs and people. */
import type { TokensData, TokensRevokeData } from '../../../clients/typescript/operator-acts.ts'
import { Act } from './act.tsx'
import { ago, Loaded, Table, Time } from './parts.tsx'
import { useReply } from './service.ts'

export default function Tokens() {
  const [reply, again] = useReply<TokensData>('v1/tokens')
  return (
    <div>
      <h1>Tokens</h1>
      <p class="actions">
        <Act path="tokens/create" label="Create a token" isSmall={false} onDone={again} />
      </p>
      <Loaded reply={reply} onRetry={again}>
        {({ items }) => (
          <Table
            label="Tokens"
            columns={['Name', 'Role', 'Made by', 'Created', 'Ends', 'Last used', '']}
            rows={items.map((token) => [
              token.name,
              token.role,
              token.made_by ?? '',
              <Time at={token.created_at} />,
              endOf(token),
              token.last_used_at === null ? 'never' : ago(token.last_used_at),
              token.revoked_at === null && (
                <Act
                  path="tokens/revoke"
                  label="Revoke"
                  given={{ id: token.id }}
                  name={token.name}
                  onDone={again}
                />
              ),
            ])}
          />
        )}
      </Loaded>
    </div>
  )
}

const endOf = ({ expires_at, revoked_at }: TokensRevokeData) => {
  if (revoked_at !== null) return <span class="failed">revoked</span>
  return expires_at === null ? 'never' : <Time at={expires_at} />
}
