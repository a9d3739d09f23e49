/** The mails the service writes, as plain text and as HTML that loads nothing and tells nobody it was read. */

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The code in it, for a development log; null: none. */
  readonly code: string | null
}

const SIGNATURE = 'This mail was sent by quantd. Nobody reads replies to it.'
const NOT_YOU = 'If this was not you, ignore this mail: nothing happens without the code.'
const WARNING = 'If this was not you, set a new password at once and ask the operator for help.'

/** The code that confirms one registration; it names the username, so that a stranger's registration shows. */
export const verificationMail = ({ username, code }: { username: string; code: string }): MailText =>
  letter({
    subject: 'Your verification code',
    greeting: username,
    before: [`Somebody registered with this address and the username “${username}”. The code is:`],
    code,
    after: ['It is valid for 10 minutes and can be used once.', NOT_YOU],
  })

/** To a verified address that is registered again; `username` is the account's own, never the new one. */
export const accountExistsMail = ({ username }: { username: string }): MailText =>
  letter({
    subject: 'You have an account already',
    greeting: username,
    before: [
      'Somebody tried to register with this address. It has an account, and nothing about it was changed.',
      'To get your API key, log in. If you forgot the password, ask for a reset code.',
    ],
  })

export const passwordResetMail = ({ username, code }: { username: string; code: string }): MailText =>
  letter({
    subject: 'Your password reset code',
    greeting: username,
    before: ['Somebody asked to set a new password for your account. The code is:'],
    code,
    after: ['It is valid for 10 minutes and can be used once.', NOT_YOU],
  })

const NOTICES = {
  passwordChanged: {
    subject: 'Your password was changed',
    body: 'The password of your account was changed.',
  },
  mfaEnabled: {
    subject: 'Your second factor is on',
    body: 'Logging in to your account now takes a code from your authenticator app.',
  },
  mfaDisabled: {
    subject: 'Your second factor is off',
    body: 'Logging in to your account no longer takes a code from an authenticator app.',
  },
  keyRegenerated: {
    subject: 'Your API key was replaced',
    body: 'Your account has a new API key. The old one has stopped working.',
  },
} as const

export type Notice = keyof typeof NOTICES

/** Word of something that happened to an account. */
export const noticeMail = (notice: Notice, { username }: { username: string }): MailText =>
  letter({ subject: NOTICES[notice].subject, greeting: username, before: [NOTICES[notice].body, WARNING] })

interface Letter {
  readonly subject: string
  readonly greeting: string
  readonly before: readonly string[]
  readonly code?: string
  readonly after?: readonly string[]
}

function letter({ subject, greeting, before, code, after = [] }: Letter): MailText {
  const hello = `Hello ${greeting},`
  const lines = code === undefined ? [...before, ...after] : [...before, code, ...after]
  const paragraph = (line: string) =>
    line === code
      ? `<p style="font:bold 24px monospace;letter-spacing:2px">${escapeHtml(line)}</p>`
      : `<p>${escapeHtml(line)}</p>`
  return {
    subject,
    text: `${[hello, ...lines, `-- \n${SIGNATURE}`].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font:16px sans-serif">
${[hello, ...lines].map(paragraph).join('\n')}
<p style="color:#666">${SIGNATURE}</p>
</body></html>
`,
    code: code ?? null,
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character])
