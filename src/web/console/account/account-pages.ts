/** The pages of accounts, by their addresses. */
import type { ComponentType } from 'preact'
import RunsPage from '../runs/runs-page.tsx'
import History from './history.tsx'
import Login from './login.tsx'
import Overview from './overview.tsx'
import { Deleted } from './privacy.tsx'
import Register from './register.tsx'
import Security from './security.tsx'
import SignOn from './sign-on.tsx'
import TeamKeys from './team-keys.tsx'

const pages: Readonly<Record<string, ComponentType>> = {
  '#/account': Overview,
  '#/register': Register,
  '#/login': Login,
  '#/security': Security,
  '#/sign-on': SignOn,
  '#/keys': TeamKeys,
  '#/history': History,
  '#/runs': RunsPage,
  '#/deleted': Deleted,
}

export default pages
