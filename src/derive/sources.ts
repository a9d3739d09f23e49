/** The declarations of this service, which every document is made from, with the default settings. */
import { accountEndpoints } from '../accounts/endpoints.ts'
import { batch } from '../catalogue/batch.ts'
import { columnsDeclaration, hasColumns } from '../catalogue/columns.ts'
import { operations } from '../catalogue/index.ts'
import { serviceEndpoints } from '../catalogue/service-endpoints.ts'
import { failures } from '../failure.ts'
import { INITIAL_CREDITS, TIER_REQUESTS } from '../limits.ts'
import { operatorEndpoints } from '../operator/http/endpoints.ts'
import { version } from '../version.ts'
import { EVENT_TYPES } from '../webhooks/event-types.ts'
import type { Sources } from './described.ts'
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
  offer: { initialCredits: INITIAL_CREDITS, tiers: TIER_REQUESTS, costs: {} },
  events: EVENT_TYPES,
}
