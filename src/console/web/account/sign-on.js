/** Back from the provider: the key of the account, with the code of its second factor where it has one. */
import { html, useEffect, useState } from '../html.js'
import { Problem } from '../problem.js'
import { hold, name, send } from '../session.js'
import { secondFactor } from './account-fields.js'
import { AccountForm } from './account-form.js'

const PATH = '/user/sign-on/key'

export default function SignOn() {
  const [reply, setReply] = useState(null)
  const done = ({ data }) => {
    hold(data.api_key, { credits: data.user.credits, isSignedOn: true })
    name(data.user.full_name)
    location.hash = '#/account'
  }
  useEffect(() => {
    send(PATH, '{}').then((got) => (got.success ? done(got) : setReply(got)))
  }, [])
  return html`<div class="narrow"><h1>Sign-on</h1>
    ${
      reply === null
        ? html`<p class="hint" role="status">Loading …</p>`
        : reply.error?.code === 'mfa_required'
          ? html`<section class="card"><p role="status"><strong>Enter the code of your second factor.</strong></p>
            <${AccountForm} path=${PATH} action="Log in" fields=${[secondFactor]} onDone=${done} /></section>`
          : html`<${Problem} reply=${reply} left=${[]} /><p><a href="#/login">Log in</a></p>`
    }
  </div>`
}
