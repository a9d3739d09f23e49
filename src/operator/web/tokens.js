/** The operators' tokens, of programs and people. */
import { html } from '../../console/web/html.js'
import { Act } from './act.js'
import { ago, Loaded, Table, Time } from './parts.js'
import { useReply } from './service.js'

export default function Tokens() {
  const [reply, again] = useReply('v1/tokens')
  return html`<div><h1>Tokens</h1>
    <p class="actions"><${Act} path="tokens/create" label="Create a token" isSmall=${false} onDone=${again} /></p>
    <${Loaded} reply=${reply} onRetry=${again}>${({
      items,
    }) => html`<${Table} label="Tokens" columns=${['Name', 'Role', 'Created', 'Ends', 'Last used', '']}
      rows=${items.map((token) => [
        token.name,
        token.role,
        html`<${Time} at=${token.created_at} />`,
        endOf(token),
        token.last_used_at === null ? 'never' : ago(token.last_used_at),
        token.revoked_at === null &&
          html`<${Act} path="tokens/revoke" label="Revoke" given=${{ id: token.id }} name=${token.name} onDone=${again} />`,
      ])} />`}<//>
  </div>`
}

const endOf = ({ expires_at, revoked_at }) => {
  if (revoked_at !== null) return html`<span class="failed">revoked</span>`
  return expires_at === null ? 'never' : html`<${Time} at=${expires_at} />`
}
