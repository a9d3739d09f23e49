/** The explicit list of the computations served; a new one is one line here. */
import { logUtilityOperation } from './economics/log-utility.ts'
import type { Operation } from './operation.ts'

export const operations: readonly Operation[] = [logUtilityOperation]
