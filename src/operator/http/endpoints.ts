/** The list of the operators' endpoints, in the order of their document. */
import { accountEndpoints } from './account-endpoints.ts'
import { auditEndpoints } from './audit-endpoints.ts'
import type { OperatorEndpoint } from './endpoint.ts'
import { moneyEndpoints } from './money-endpoints.ts'
import { tokenEndpoints } from './token-endpoints.ts'

export const operatorEndpoints = [
  ...[...accountEndpoints, ...moneyEndpoints, ...auditEndpoints, ...tokenEndpoints],
] as unknown as readonly OperatorEndpoint[]
