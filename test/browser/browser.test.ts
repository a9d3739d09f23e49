/** The console and the reference in a real browser, on the real service. */
import { accountTests } from './account-tests.ts'
import { shareOneBrowser } from './browser.ts'
import { messageTests } from './message-tests.ts'
import { operationTests } from './operation-tests.ts'
import { outsiderTests } from './outsider-tests.ts'
import { pageTests } from './page-tests.ts'
import { referenceTests } from './reference-tests.ts'
import { tableTests } from './table-tests.ts'

shareOneBrowser()
operationTests()
tableTests()
outsiderTests()
accountTests()
messageTests()
referenceTests()
pageTests()
