/** What an operator does: the event of an act, and the fields of an account; its key is a placeholder, which no master key encrypts. */

export const operatorEvent = (auditId: string = crypto.randomUUID()) => ({
  auditId,
  ip: '::1',
  requestId: auditId,
  method: 'CLI',
  path: '/',
  actor: 'root',
})

let count = 0
export const newAccount = (address: string) => ({
  uid: `account-${++count}`,
  address,
  email: address,
  username: 'u',
  fullName: 'f',
  passwordHash: 'p',
  credits: 5,
  tier: 'free' as const,
  key: {
    uid: `key-${count}`,
    hash: Buffer.from(`hash-${count}`.padEnd(32)),
    masterKeyId: 'm',
    prefix: 'qd_user_abcd',
    last4: 'wxyz',
    sealed: Buffer.alloc(8),
  },
  event: { auditId: `event-${count}`, ip: '::1', requestId: 'r', method: 'POST', path: '/', actor: 'root' },
})
