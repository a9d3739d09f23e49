/** The module that the service makes of its settings: console/assets.ts. */
import type { signUpFacts } from '../sign-up.ts'

declare const signUp: ReturnType<typeof signUpFacts>
export default signUp
