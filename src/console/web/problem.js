/** A failure: message, remedy, and the request id by which the service's log names it. */
import { h } from './dom.js'
import { ownLabel, withLabel } from './labels.js'

/** `left`: the details that no form field shows. */
export function problem(reply, left = []) {
  const { message, error, status, headers } = reply
  const wait = headers.get('retry-after')
  const id = error?.request_id
  return h(
    'div',
    { class: 'problem', role: 'alert' },
    h('p', {}, h('strong', {}, withLabel(message))),
    left.length === 0
      ? null
      : h(
          'ul',
          {},
          left.map((one) => h('li', {}, placeOf(one.path), one.message)),
        ),
    wait === null ? null : h('p', {}, `You can try again ${inWords(Number(wait))}.`),
    NEEDS_ANOTHER_KEY.includes(error?.code)
      ? h('p', {}, h('a', { href: '#/key' }, 'Get or enter another key'))
      : null,
    h(
      'p',
      { class: 'hint' },
      [status || null, error?.code, id && `request ${id}`].filter((part) => part).join(' · '),
    ),
  )
}

/** The field by the console's name, or else by its path in the request. */
const placeOf = (path) => {
  const label = ownLabel(path.slice(1))
  if (label !== undefined) return `${label} `
  return path === '' ? null : h('code', {}, `${path} `)
}

const NEEDS_ANOTHER_KEY = ['api_key_missing', 'api_key_invalid', 'guest_key_expired', 'credits_exhausted']

function inWords(seconds) {
  if (seconds < 90) return `in ${seconds} seconds`
  return seconds < 5400 ? `in ${Math.ceil(seconds / 60)} minutes` : `in ${Math.ceil(seconds / 3600)} hours`
}
