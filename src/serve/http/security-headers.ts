/** Headers that tell browsers what a reply may do, as names and values alternating. */

const FOR_ALL = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer']

/** JSON loads nothing, and no page may frame it. */
export const JSON_SECURITY: readonly string[] = [
  ...FOR_ALL,
  'content-security-policy',
  "default-src 'none'; frame-ancestors 'none'",
]

/** Pages load nothing from other origins and no plug-ins, and no page may frame them. */
export const PAGE_SECURITY: readonly string[] = [
  ...FOR_ALL,
  'content-security-policy',
  [
    "default-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
]
