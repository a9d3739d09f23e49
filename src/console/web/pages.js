/** The pages behind the first one, which come in a file of their own: that of operations, and by address those of accounts. */
import History from './account/history.js'
import Login from './account/login.js'
import Overview from './account/overview.js'
import Register from './account/register.js'
import Security from './account/security.js'
import SignOn from './account/sign-on.js'
import TeamKeys from './account/team-keys.js'

export { default as OperationPage } from './operation-page.js'

export const ofAccounts = {
  '#/account': Overview,
  '#/register': Register,
  '#/login': Login,
  '#/security': Security,
  '#/sign-on': SignOn,
  '#/keys': TeamKeys,
  '#/history': History,
}
