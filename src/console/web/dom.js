/** Elements made in one call. */

/** An element; an attribute that is null or false is left out, true is set without a value; children that are null are skipped. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== false)
      element.setAttribute(key, value === true ? '' : value)
  element.append(...children.flat().filter((child) => child !== null && child !== undefined))
  return element
}

let last = 0
/** An id that no other element has. */
export const freshId = (prefix) => `${prefix}-${++last}`
