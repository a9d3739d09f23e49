/** The pages of operations, and their tables and pictures, in a real browser, on the real service. */
import { shareOneBrowser } from './browser.ts'
import { operationTests } from './operation-tests.ts'
import { outsiderTests } from './outsider-tests.ts'
import { tableTests } from './table-tests.ts'

shareOneBrowser()
operationTests()
tableTests()
outsiderTests()
