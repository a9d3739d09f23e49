/** A failure, told: what is wrong, what to do, and how to find it again in the service's log. */
import { h } from './dom.js'

/** `left`: the details that no field shows. */
export function problem(reply, left = []) {
  const { message, error, status, headers } = reply
  const wait = headers.get('retry-after')
  const id = error?.request_id
  return h(
    'div',
    { class: 'problem', role: 'alert' },
    h('p', {}, h('strong', {}, message)),
    left.length === 0
      ? null
      : h(
          'ul',
          {},
          left.map((one) => h('li', {}, one.path === '' ? null : h('code', {}, `${one.path} `), one.message)),
        ),
    wait === null ? null : h('p', {}, `It can be tried again ${inWords(Number(wait))}.`),
    KEY_IS_NO_GOOD.includes(error?.code)
      ? h('p', {}, h('a', { href: '#/key' }, 'Get or enter another key'))
      : null,
    h(
      'p',
      { class: 'hint' },
      [status || null, error?.code, id && `request ${id}`].filter((part) => part).join(' · '),
    ),
  )
}

const KEY_IS_NO_GOOD = ['api_key_missing', 'api_key_invalid', 'guest_key_expired', 'credits_exhausted']

function inWords(seconds) {
  if (seconds < 90) return `in ${seconds} seconds`
  return seconds < 5400 ? `in ${Math.ceil(seconds / 60)} minutes` : `in ${Math.ceil(seconds / 3600)} hours`
}
