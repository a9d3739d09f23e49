/** The module that the service makes of the acts of operators: console/assets.ts. */
import type { ActForm } from '../../derive/forms.ts'

/** The host of the provider at which operators sign on; null: only tokens are accepted. */
export declare const provider: string | null
declare const acts: readonly ActForm[]
export default acts
