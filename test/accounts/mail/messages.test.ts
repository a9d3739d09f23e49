/** The texts of the mails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accountExistsMail,
  type MailText,
  noticeMail,
  passwordResetMail,
  verificationMail,
} from '../../../src/accounts/mail/messages.ts'

const every = (username: string): MailText[] => [
  verificationMail({ username, code: '042137' }),
  passwordResetMail({ username, code: 'ABCDEFGH2345' }),
  accountExistsMail({ username }),
  ...(['passwordChanged', 'mfaEnabled', 'mfaDisabled', 'keyRegenerated'] as const).map((notice) =>
    noticeMail(notice, { username }),
  ),
]

test('a verification mail names the username, the code and how long it is valid', () => {
  const mail = verificationMail({ username: 'Ada L.', code: '042137' })
  for (const body of [mail.text, mail.html]) {
    assert.match(body, /Ada L\./)
    assert.match(body, /10 minutes/)
  }
  assert.match(mail.text, /^042137$/m)
  assert.match(mail.html, />042137</)
  assert.equal(mail.code, '042137')
})

test('the code is the only thing in a mail that looks like one', () => {
  for (const mail of every('ada')) {
    const found = mail.text.match(/\b[0-9]{6}\b|\b[A-Z2-7]{12}\b/g)
    assert.deepEqual(found, mail.code === null ? null : [mail.code])
  }
})

test('a username cannot put markup into a mail, nor anything into its subject', () => {
  const hostile = `<img src=x onerror="alert('1')"> & Co`
  for (const mail of every(hostile)) {
    assert.ok(!mail.html.includes('<img'))
    assert.match(mail.html, /&#60;img src=x onerror=&#34;alert\(&#39;1&#39;\)&#34;&#62; &#38; Co/)
    assert.ok(mail.text.includes(hostile))
    assert.ok(!mail.subject.includes('img'))
  }
})

test('no mail loads or links to anything', () => {
  for (const mail of every('ada')) assert.doesNotMatch(mail.html + mail.text, /https?:|src=|href=|url\(/i)
})

test('a username is quoted, cut to 40 characters and cannot end its quotation or become a link', () => {
  const shown = (username: string) => noticeMail('mfaEnabled', { username }).text.match(/“(.*?)”/)?.[1]
  assert.equal(shown('Zoë 👩‍🔬'), 'Zoë 👩‍🔬')
  assert.equal(shown('x'.repeat(40)), 'x'.repeat(40))
  assert.equal(shown('𝒜'.repeat(41)), `${'𝒜'.repeat(40)}…`)
  assert.equal(shown('ada”. Your key was stolen'), "ada'. Your key was stolen")
  for (const mail of every('see https://evil.example/x'))
    assert.doesNotMatch(mail.text + mail.html, /evil\.example|:\/\//)
})
