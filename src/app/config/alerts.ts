/** The setting that says where alerts are sent. */

import { EMAIL_ADDRESS } from '../../accounts/mail/address.ts'
import { ALERT_MAILS } from '../../base/limits/operation.ts'
import { ConfigError, type Environment, list } from './values.ts'

export interface AlertSettings {
  readonly mails: readonly string[]
  readonly webhook: boolean
}

/** `QUANTD_ALERTS=mail:ops@example.com,webhook` */
export function alerts(environment: Environment): AlertSettings | null {
  const items = list(environment, 'QUANTD_ALERTS')
  if (items.length === 0) return null
  const mails = items.filter((item) => item !== 'webhook').map((item) => /^mail:(.+)$/.exec(item)?.[1] ?? '')
  const isWrong = (address: string) => !new RegExp(EMAIL_ADDRESS, 'u').test(address)
  if (mails.some(isWrong) || mails.length > ALERT_MAILS)
    throw new ConfigError(
      `QUANTD_ALERTS is "${items.join()}"; write mail:ADDRESS, at most ${ALERT_MAILS} of them, or webhook, separated by commas.`,
    )
  return Object.freeze({ mails, webhook: items.includes('webhook') })
}
