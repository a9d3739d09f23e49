/** The pages of accounts, by their addresses. */
import History from './history.js'
import Login from './login.js'
import Overview from './overview.js'
import Register from './register.js'
import Security from './security.js'
import SignOn from './sign-on.js'
import TeamKeys from './team-keys.js'

export default {
  '#/account': Overview,
  '#/register': Register,
  '#/login': Login,
  '#/security': Security,
  '#/sign-on': SignOn,
  '#/keys': TeamKeys,
  '#/history': History,
}
