/** The fields of an account that an operator creates; the key is a placeholder, which no master key encrypts. */
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
