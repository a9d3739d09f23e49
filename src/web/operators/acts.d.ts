/** The module that the service makes of the acts of operators: console/assets.ts. */
import type { ActForm } from '../../derive/forms.ts'
import type { Role } from '../../operators/roles.ts'

/** The host of the provider at which operators sign on; null: only tokens are accepted. */
export declare const provider: string | null
declare const acts: readonly (ActForm & { readonly role: Role })[]
export default acts
