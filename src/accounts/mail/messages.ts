/** The texts of all mails, as plain text and as HTML without links, images or anything else to load. */
import { html } from '../../base/html.ts'

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The code in the mail, for a development log; null: none. */
  readonly code: string | null
}

const SIGNATURE = 'This mail was sent by quantd. Replies are not read.'
const VALIDITY = 'The code is valid for 10 minutes and can be used once.'
const NOT_YOU = 'If this was not you, ignore this mail: nothing changes without the code.'
const TELL = 'If this was not you, tell the operator of the service.'
const WARNING = 'If this was not you, reset your password now and tell the operator of the service.'

/** Names the username and says what the code does, so that nobody confirms a registration by somebody else. */
export const verificationMail = ({ username, code }: { username: string; code: string }): MailText =>
  letter({
    subject: 'Your verification code',
    before: [`Someone registered this address with the username ${quoted(username)}. The code is:`],
    code,
    after: [
      `Whoever enters this code confirms the account with the username ${quoted(username)} for your address.`,
      `${VALIDITY} If you did not register with this username, ignore this mail: nothing changes without the code.`,
    ],
  })

/** For a registration of an address that has an account; `username` is that of the account. */
export const accountExistsMail = ({ username }: { username: string }): MailText =>
  letter({
    subject: 'You have an account already',
    before: [
      `Someone tried to register with this address. It already has the account ${quoted(username)}, which was not changed.`,
      'To get your API key, log in. If you forgot the password, request a reset code.',
    ],
  })

export const passwordResetMail = ({ username, code }: { username: string; code: string }): MailText =>
  letter({
    subject: 'Your password reset code',
    before: [`Someone asked to reset the password of your account ${quoted(username)}. The code is:`],
    code,
    after: [VALIDITY, NOT_YOU],
  })

const NOTICES = {
  passwordChanged: {
    subject: 'Your password was changed',
    body: (account: string) => `The password of your account ${account} was changed.`,
  },
  mfaEnabled: {
    subject: 'Your second factor is on',
    body: (account: string) =>
      `Login to your account ${account} now requires a code from your authenticator app.`,
  },
  mfaDisabled: {
    subject: 'Your second factor is off',
    body: (account: string) =>
      `Login to your account ${account} no longer requires a code from an authenticator app.`,
  },
  keyRegenerated: {
    subject: 'Your API key was replaced',
    body: (account: string) => `Your account ${account} has a new API key. The old key no longer works.`,
  },
  accountDeleted: {
    subject: 'Your account was deleted',
    body: (account: string) =>
      `Your account ${account} was deleted, with its keys and its credits. Its records no longer show who its owner was.`,
  },
} as const

type Notice = keyof typeof NOTICES

/** Reports a change of the account to its owner. */
export const noticeMail = (notice: Notice, { username }: { username: string }): MailText =>
  letter({
    subject: NOTICES[notice].subject,
    before: [NOTICES[notice].body(quoted(username)), notice === 'accountDeleted' ? TELL : WARNING],
  })

/** Tells the owner that the balance has fallen to a threshold of theirs. */
export const creditsFallenMail = ({
  balance,
  threshold,
  username,
}: Readonly<{ balance: number; threshold: number; username: string }>): MailText => {
  const left = balance === 0 ? 'No credits are' : balance === 1 ? '1 credit is' : `${balance} credits are`
  return letter({
    subject: balance === 0 ? 'Your credits are used up' : `Your credits have fallen to ${balance}`,
    before: [
      `${left} left on your account ${quoted(username)}.`,
      balance === 0
        ? 'Calls are refused until there are new credits; ask the operator of the service for them.'
        : 'Calls are refused once no credits are left; ask the operator of the service for new ones.',
      `You asked for a mail when the balance falls to ${threshold}. To change that, open your account in the console, or call /user/notices.`,
    ],
  })
}

/** Tells an operator that something is wrong, or is over. */
export const alertMail = ({
  isOver,
  name,
  runbook,
  summary,
}: {
  readonly isOver: boolean
  readonly name: string
  readonly summary: string
  readonly runbook: string
}): MailText =>
  letter({
    subject: `${isOver ? 'Over' : 'Alert'}: ${name}`,
    before: isOver ? ['This alert has ended:', summary] : [summary, runbook],
  })

const MAX_NAME_LENGTH = 40

/**
 * A username in quotation marks. Anybody can register any address with a username of their choice, so it must not read
 * as a sentence of the service: it is cut to 40 characters, cannot end the quotation and is not turned into a link by
 * mail clients.
 */
function quoted(username: string): string {
  const name = username.replace(/[“”„‟]/g, "'").replace(/[./:@](?=\S)/g, '$& ')
  const characters = [...name]
  return characters.length > MAX_NAME_LENGTH
    ? `“${characters.slice(0, MAX_NAME_LENGTH).join('')}…”`
    : `“${name}”`
}

interface Letter {
  readonly subject: string
  readonly before: readonly string[]
  readonly code?: string
  readonly after?: readonly string[]
}

function letter({ subject, before, code, after = [] }: Letter): MailText {
  const lines = code === undefined ? [...before, ...after] : [...before, code, ...after]
  const paragraph = (line: string) =>
    line === code
      ? html`<p style="font:bold 24px monospace;letter-spacing:2px">${line}</p>\n`
      : html`<p>${line}</p>\n`
  return {
    subject,
    text: `${['Hello,', ...lines, `-- \n${SIGNATURE}`].join('\n\n')}\n`,
    html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font:16px sans-serif">
${['Hello,', ...lines].map(paragraph)}<p style="color:#666">${SIGNATURE}</p>
</body></html>
`.markup,
    code: code ?? null,
  }
}
