/** JSON Schema pattern (Unicode) of one e-mail address without display name, safe in a mail header and in SMTP. */
export const EMAIL_ADDRESS = '^[^\\s\\p{C}@,;:<>()\\[\\]"\\\\]+@[^\\s\\p{C}@,;:<>()\\[\\]"\\\\]+$'
