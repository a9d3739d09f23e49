/** The list of the operators' endpoints, in the order of their document. */
import { accountEndpoints, detailEndpoints } from './account-endpoints.ts'
import { alertEndpoints } from './alert-endpoints.ts'
import { approvalEndpoints } from './approval-endpoints.ts'
import { auditEndpoints, callEndpoints } from './audit-endpoints.ts'
import { changeEndpoints } from './change-endpoints.ts'
import type { OperatorEndpoint } from './endpoint.ts'
import { keyEndpoints } from './key-endpoints.ts'
import { mailEndpoints } from './mail-endpoints.ts'
import { moneyEndpoints } from './money-endpoints.ts'
import { planEndpoints } from './plan-endpoints.ts'
import { reportEndpoints, usageEndpoints } from './report-endpoints.ts'
import { serviceEndpoints } from './service-endpoints.ts'
import { tokenEndpoints } from './token-endpoints.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

export const operatorEndpoints = [
  serviceEndpoints,
  accountEndpoints,
  changeEndpoints,
  detailEndpoints,
  callEndpoints,
  keyEndpoints,
  moneyEndpoints,
  approvalEndpoints,
  planEndpoints,
  reportEndpoints,
  auditEndpoints,
  usageEndpoints,
  mailEndpoints,
  tokenEndpoints,
  webhookEndpoints,
  alertEndpoints,
].flat() as unknown as readonly OperatorEndpoint[]
