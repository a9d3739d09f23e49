/** The console's names for fields of account requests and replies, in place of their names in JSON. */

const labels = {
  username: 'Name',
  full_name: 'Full name',
  email: 'E-mail address',
  password: 'Password',
  otp: 'Code',
  mfa_code: 'MFA code',
  device_id: 'Device ID',
  device_name: 'Device name',
  platform: 'Platform',
  user_id: 'Account number',
  mfa_enabled: 'Second factor',
  created_at: 'Created',
  expires_at: 'Expires',
  api_key_created_at: 'Key created',
  api_key_status: 'Key status',
  at: 'Time',
  path: 'Endpoint',
  ip: 'IP address',
  duration_ms: 'Duration (ms)',
  request_id: 'Request ID',
}

/** The label of a field; a name without one is put into words: `by_day` → By day. */
export const labelOf = (name) => labels[name] ?? capitalised(name.replaceAll('_', ' '))

/** undefined for a field that has no name of the console's own, such as a computation's. */
export const ownLabel = (name) => labels[name]

/** A message of the service that begins with a field's name in JSON, with the label in its place. */
export const withLabel = (message) => message.replace(/^\w+(?= )/, (name) => labels[name] ?? name)

const capitalised = (text) => text.slice(0, 1).toUpperCase() + text.slice(1)
