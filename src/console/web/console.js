/** The console: navigation between pages, the list of computations, the key's standing in the header. */
import { accountPage } from './account.js'
import { computePage } from './compute.js'
import { h } from './dom.js'
import { keyPage } from './keys.js'
import { isGuest, key, onChange, send, standing } from './session.js'

const main = document.querySelector('#main')
const side = document.querySelector('#operations')
const corner = document.querySelector('#standing')

const forms = await fetch('/assets/forms.json').then((response) => response.json())
const address = (path) => `#${path.replace(/^\/quantlib/, '')}`
const FIRST = forms.find(({ path }) => path === '/quantlib/pricing/bs/price') ?? forms[0]

for (const area of new Set(forms.map((form) => form.area))) {
  const links = forms
    .filter((form) => form.area === area)
    .map(({ path, title }) => h('li', {}, h('a', { href: address(path) }, title)))
  side.append(h('h2', {}, area), h('ul', {}, links))
}

/** Pages keep their input while the tab is open; the account page is loaded each time. */
const kept = new Map()
const once = (name, make) => {
  if (!kept.has(name)) kept.set(name, make())
  return kept.get(name)
}

const content = {
  account: accountPage,
  key: () => once('key', keyPage),
  compute: (form) => once(form.path, () => computePage(form)),
}

function show(isFirst) {
  const route = location.hash || '#/'
  const form = forms.find(({ path }) => address(path) === route) ?? FIRST
  const page = route === '#/account' ? 'account' : route === '#/key' ? 'key' : 'compute'
  main.replaceChildren(...content[page](form))
  mark(side.querySelectorAll('a'), (link) => page === 'compute' && link.hash === address(form.path))
  mark(document.querySelectorAll('[data-page]'), (link) => link.dataset.page === page)
  document.title = `${main.querySelector('h1').textContent} · quantd console`
  if (isFirst) return
  scrollTo(0, 0)
  main.focus({ preventScroll: true })
}

function mark(links, isCurrent) {
  for (const link of links)
    isCurrent(link) ? link.setAttribute('aria-current', 'page') : link.removeAttribute('aria-current')
}

function showStanding() {
  const credits =
    standing.credits === null ? '' : ` · ${standing.credits} ${standing.credits === 1 ? 'credit' : 'credits'}`
  corner.textContent = key() === null ? 'No key' : `${isGuest() ? 'Guest key' : 'Key'}${credits}`
}

/** The standing of a newly entered key is only known from the headers of a reply. */
let known = null
function learnStanding() {
  if (key() === null || standing.credits !== null || known === key().apiKey) return
  known = key().apiKey
  send('/user/profile')
}

onChange(showStanding)
onChange(learnStanding)
showStanding()
learnStanding()
addEventListener('hashchange', () => {
  if (location.hash === '#main') return
  show(false)
})
show(true)
