/** An account that an operator creates, with a key that no master key seals. */
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
    sealed: Buffer.alloc(8),
  },
  event: { auditId: `event-${count}`, ip: '::1', requestId: 'r', method: 'POST', path: '/', actor: 'root' },
})
