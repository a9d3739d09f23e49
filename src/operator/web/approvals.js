/** Acts that wait for a second person. */
import { html } from '../../console/web/html.js'
import { Act } from './act.js'
import acts from './acts.js'
import { AccountLink, factsOf, nameOf, Paged, Table, Time } from './parts.js'

export default function Approvals() {
  return html`<div><h1>Approvals</h1>
    <p>Acts that need a second person. Another person confirms the acts that you have asked for.</p>
    <${Paged} path="v1/approvals">${(
      { items },
      again,
    ) => html`<${Table} label="Approvals" columns=${['Act', 'Account', 'Asked by', 'Request', 'State', '']}
      rows=${items.map((item) => [
        titleOf(item),
        item.account_id !== null && html`<${AccountLink} account=${item} />`,
        html`${item.asked_by}<br /><${Time} at=${item.asked_at} />${item.reason && html`<br />${item.reason}`}`,
        html`<span class="facts">${requestOf(item)}</span>`,
        stateOf(item),
        item.state === 'waiting' && html`<${Decisions} item=${item} onDone=${again} />`,
      ])} />`}<//>
  </div>`
}

const titleOf = ({ act, path }) => acts.find((one) => one.path === path)?.title ?? act

const requestOf = ({ request }) => factsOf(request, ['account']).join(', ')

const stateOf = ({ decided_at, decided_by, expires_at, state }) =>
  state === 'waiting'
    ? html`waits until <${Time} at=${expires_at} />`
    : html`
      ${state}
      ${decided_by !== null && html` by ${decided_by}`}
      ${decided_at !== null && html`<br /><${Time} at=${decided_at} />`}
    `

const Decisions = ({ item, onDone }) => html`<span class="actions">
  ${
    !item.yours &&
    html`<${Act}
      path="approvals/confirm"
      label="Confirm"
      given=${{ id: item.id }}
      name=${item.account_id === null ? undefined : nameOf(item)}
      confirms=${{
        path: item.path,
        facts: html`
          <strong>${titleOf(item)}</strong>, asked by ${item.asked_by}. ${requestOf(item)}
        `,
      }}
      onDone=${onDone}
    />`
  }
  <${Act}
    path="approvals/reject"
    label=${item.yours ? 'Take back' : 'Reject'}
    given=${{ id: item.id }}
    onDone=${onDone}
  />
</span>`
