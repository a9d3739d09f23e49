/** The pages of accounts, by their addresses. */
// @ts-nocheck: to be converted
import History from './history.tsx'
import Login from './login.tsx'
import Overview from './overview.tsx'
import Register from './register.tsx'
import Security from './security.tsx'
import SignOn from './sign-on.tsx'
import TeamKeys from './team-keys.tsx'

export default {
  '#/account': Overview,
  '#/register': Register,
  '#/login': Login,
  '#/security': Security,
  '#/sign-on': SignOn,
  '#/keys': TeamKeys,
  '#/history': History,
}
