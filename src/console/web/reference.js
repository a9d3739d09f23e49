/** The reference page: the service's address and copy buttons in the samples, a filter for the contents. */
import { write } from './clipboard.js'

for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin

for (const sample of document.querySelectorAll('.sample')) {
  const code = sample.querySelector('code')
  sample.querySelector('figcaption').append(copyButton(() => code.textContent))
}

const side = document.querySelector('.side')
const filter = side.querySelector('.filter')
filter.hidden = false
filter.querySelector('input').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/)
  side.classList.toggle('found', target.value.trim() !== '')
  for (const link of side.querySelectorAll('li a')) {
    const text = `${link.textContent} ${link.dataset.path ?? ''}`.toLowerCase()
    link.parentElement.hidden = !words.every((word) => text.includes(word))
  }
  for (const list of side.querySelectorAll('ul')) {
    const none = [...list.children].every((item) => item.hidden)
    list.hidden = none
    list.previousElementSibling.hidden = none
  }
})

/** Marks the contents entry of the section in view. */
const links = new Map([...side.querySelectorAll('li a')].map((link) => [link.hash.slice(1), link]))
const visible = new Set()
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      isIntersecting ? visible.add(target.id) : visible.delete(target.id)
    const current = [...links.keys()].find((id) => visible.has(id))
    if (current === undefined) return
    for (const [id, link] of links)
      id === current ? link.setAttribute('aria-current', 'location') : link.removeAttribute('aria-current')
  },
  { rootMargin: '-80px 0px -60% 0px' },
)
for (const id of links.keys()) observer.observe(document.getElementById(id))

function copyButton(text) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'small quiet'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    button.textContent = (await write(text())) ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  return button
}
