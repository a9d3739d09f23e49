/** Times as people read them. */

export const dateTime = (text) =>
  new Date(text).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
