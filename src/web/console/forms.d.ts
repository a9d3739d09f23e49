/** The module that the service makes of the forms of computations: console/assets.ts. */
import type { Form } from '../../derive/forms.ts'

declare const forms: readonly Form[]
export default forms
