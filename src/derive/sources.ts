/** The declarations of this service, which every document is made from, with the default settings. */
import { accountEndpoints } from '../accounts/endpoints.ts'
import { failures } from '../base/failure.ts'
import { INITIAL_CREDITS, TIER_REQUESTS, TIER_WORK } from '../base/limits/callers.ts'
import { version } from '../base/version.ts'
import { batch } from '../compute/catalogue/batch.ts'
import { columnsDeclaration, hasColumns } from '../compute/catalogue/columns.ts'
import { operations } from '../compute/catalogue/index.ts'
import { serviceEndpoints } from '../compute/catalogue/service-endpoints.ts'
import { EVENT_TYPES } from '../ledger/event-types.ts'
import { operatorEndpoints } from '../operators/http/endpoints.ts'
import type { Sources } from './documented-endpoints.ts'
import type { DeclaredAct } from './operator-openapi.ts'

/** The endpoints of the operators' interface. */
export const operatorActs: readonly DeclaredAct[] = operatorEndpoints

export const sources: Sources = {
  operations: [
    ...operations.map((operation) => ({ ...operation, arrow: !hasColumns(operation) })),
    ...operations.filter(hasColumns).map((operation) => ({ ...columnsDeclaration(operation), arrow: true })),
    batch,
  ],
  endpoints: [...accountEndpoints, ...serviceEndpoints],
  failures,
  version,
  offer: { initialCredits: INITIAL_CREDITS, tiers: TIER_REQUESTS, work: TIER_WORK, costs: {} },
  events: EVENT_TYPES,
}
