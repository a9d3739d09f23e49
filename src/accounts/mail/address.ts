/**
 * JSON Schema pattern (Unicode) of one e-mail address without display name, safe in a mail header and in SMTP. The domain
 * holds letters, digits, dots (also the ideographic ones), hyphens and underscores: other characters would be decoded or cut
 * off when it is brought into one spelling.
 */
export const EMAIL_ADDRESS = '^[^\\s\\p{C}@,;:<>()\\[\\]"\\\\]+@[\\p{L}\\p{M}\\p{N}_.。．｡-]+$'
