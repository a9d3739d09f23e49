/** The team keys of the account: listed with what they have spent, created, changed, rotated and revoked. */
import { Callout } from '../callout.js'
import { CopyButton } from '../copy.js'
import { html, useState } from '../html.js'
import { plural, whole } from '../numbers.js'
import { useKeptFocus } from '../page.js'
import { isGuest } from '../session.js'
import { dateTime } from '../times.js'
import { secondFactor } from './account-fields.js'
import { AccountForm } from './account-form.js'
import { AccountPage, Loaded, titleOf, useReply } from './account-page.js'
import { Meter } from './meter.js'
import { PERIODS, TeamKeyForm } from './team-key-form.js'

const OVERLAPS = { 0: 'at once', 3600: 'in an hour', 86400: 'in a day', 604800: 'in a week' }

export default function TeamKeys() {
  return html`<${AccountPage} title="Team keys">
    ${
      isGuest()
        ? html`<div class="empty">
          <p>Team keys need a registered account.</p>
          <p><a class="button" href="#/register">Register</a></p>
        </div>`
        : html`<${Keys} />`
    }
  <//>`
}

function Keys() {
  const [profile] = useReply('/user/profile')
  const [keys, renew] = useReply('/user/keys')
  const [made, setMade] = useState(null)
  const show = (text) => (reply) => {
    setMade({ text, key: reply.data.key, name: reply.data.name })
    renew()
  }
  const about = useKeptFocus(made)
  const factor = profile?.success && profile.data.mfa_enabled ? [secondFactor] : []
  return html`
    <p tabindex="-1" ref=${about}>
      A key for each person or program, with a limit of its own. All spend the credits of this account; only
      its own key manages them.
    </p>
    ${made !== null && html`<${NewKey} key=${made.key} made=${made} onDone=${() => setMade(null)} />`}
    <${Loaded} reply=${keys} onRetry=${renew}>
      ${({ items }) => html`
        ${items.length === 0 && html`<p class="hint">There is no team key yet.</p>`}
        <ul class="cards keys" aria-label="Team keys">
          ${items.map(
            (item) => html`<${Key}
              key=${item.id}
              item=${item}
              factor=${factor}
              onRotated=${show('It replaces the old one, which ends as you chose.')}
              onChanged=${renew}
            />`,
          )}
        </ul>
        <${Create} factor=${factor} onDone=${show('Give it to its user.')} />
      `}
    <//>
  `
}

const NewKey = ({ made, onDone }) => html`<${Callout} title=${`The key of “${made.name}”, shown only now`}>
  <p><strong>The key of “${made.name}”, shown only now.</strong> ${made.text}</p>
  <p class="key"><code>${made.key}</code></p>
  <p class="actions"><${CopyButton} text=${() => made.key} label="Copy" name="Copy the team key" />
    <button type="button" class="small quiet" onClick=${onDone}>Done</button></p>
<//>`

function Key({ item, factor, onRotated, onChanged }) {
  const [asked, setAsked] = useState(null)
  const [overlap, setOverlap] = useState('0')
  const card = useKeptFocus(asked, item.state)
  const close = (then) => (reply) => {
    setAsked(null)
    then(reply)
  }
  const { id, name, state } = item
  const rows = [
    ['Key', html`<code>${item.prefix}…${item.last4}</code>`],
    ['Last used', item.last_used_at === null ? 'never' : dateTime(item.last_used_at)],
    ...(item.expires_at === null
      ? []
      : [[state === 'expired' ? 'Ended' : 'Ends', dateTime(item.expires_at)]]),
    ...(item.hourly_limit === null ? [] : [['An hour', `${plural(item.hourly_limit, 'request')}`]]),
    ...(item.paths === null ? [] : [['May call', item.paths.map(titleOf).join(', ')]]),
  ]
  return html`<li class="card" tabindex="-1" ref=${card}>
    <h2>${name} <span class="tag">${state}</span></h2>
    <${Spent} item=${item} />
    <dl class="values">
      ${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}
    </dl>
    ${
      state !== 'revoked' &&
      asked === null &&
      html`<p class="actions">
        ${(state === 'active' ? ['Change', 'Rotate', 'Revoke'] : ['Change', 'Revoke']).map(
          (act) => html`<button
            type="button"
            class="small quiet"
            aria-label=${`${act} ${name}`}
            onClick=${() => setAsked(act)}
          >
            ${act} …
          </button>`,
        )}
      </p>`
    }
    ${
      asked === 'Change' &&
      html`<${TeamKeyForm}
        item=${item}
        path="/user/keys/update"
        action="Change the key"
        factor=${factor}
        onDone=${close(onChanged)}
      />`
    }
    ${
      asked === 'Rotate' &&
      html`<${AccountForm}
        path="/user/keys/rotate"
        action="Rotate"
        fields=${factor}
        added=${() => ({ id, overlap_seconds: Number(overlap) })}
        onDone=${close(onRotated)}
      >
        <label>
          The old key
          ends <select value=${overlap} onChange=${(event) => setOverlap(event.currentTarget.value)}>
            ${Object.entries(OVERLAPS).map(
              ([seconds, text]) => html`<option value=${seconds}>
                ${text}
              </option>`,
            )}
          </select>
        </label>
      <//>`
    }
    ${
      asked === 'Revoke' &&
      html`
        <p>
          <strong>Revoke “${name}”?</strong> Its keys are refused from the next request on. It cannot be
          undone.
        </p>
        <${AccountForm}
          path="/user/keys/revoke"
          action="Revoke now"
          fields=${factor}
          added=${() => ({ id })}
          onDone=${close(onChanged)}
        />
      `
    }
    ${
      asked !== null &&
      html`<p class="hint">
        <button type="button" class="link" onClick=${() => setAsked(null)}>Cancel</button>
      </p>`
    }
  </li>`
}

/** The bar is what was spent of the cap in its present period. */
function Spent({ item }) {
  const { cap_period, cap_resets_at, credit_cap, spent, spent_total } = item
  if (credit_cap === null) return html`<p>${plural(spent_total, 'credit')} spent, no cap</p>`
  return html`<${Meter} id=${`spent-${item.id}`} used=${spent} limit=${credit_cap}>
    ${whole(spent)} of ${plural(credit_cap, 'credit')} spent ${PERIODS[cap_period]}
    ${cap_resets_at !== null && html`<span class="hint">, renewed ${dateTime(cap_resets_at)}</span>`}
  <//>`
}

function Create({ factor, onDone }) {
  const [made, setMade] = useState(0)
  const done = (reply) => {
    setMade((count) => count + 1)
    onDone(reply)
  }
  return html`<section class="card create-key">
    <h2>Create a team key</h2>
    <${TeamKeyForm} key=${made} path="/user/keys/create" action="Create the key" factor=${factor} onDone=${done} />
  </section>`
}
