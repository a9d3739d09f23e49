/** Creates elements in one call. */

/** An element; attributes that are null or false are omitted, true is set without a value; children that are null are skipped. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== false)
      element.setAttribute(key, value === true ? '' : value)
  element.append(...children.flat().filter((child) => child !== null && child !== undefined))
  return element
}

let last = 0
/** An id that is unique on the page. */
export const freshId = (prefix) => `${prefix}-${++last}`
