/** The pages of accounts, the reference and the rules of all pages in a real browser, on the real service. */
import { accountTests } from './account-tests.ts'
import { shareOneBrowser } from './browser.ts'
import { displayTests } from './display-tests.ts'
import { messageTests } from './message-tests.ts'
import { pageTests } from './page-tests.ts'
import { referenceTests } from './reference-tests.ts'
import { runTests } from './run-tests.ts'

shareOneBrowser()
accountTests()
displayTests()
messageTests()
referenceTests()
runTests()
pageTests()
