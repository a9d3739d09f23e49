/** The recipient of a mail, to which its sealed text is bound. */
import type { Migration } from './migration.ts'

export const mailRecipients: Migration = {
  name: '003-mail-recipients',
  statements: () => [
    // Null once the text is erased.
    'ALTER TABLE mails ADD COLUMN recipient TEXT',
    'CREATE INDEX mails_done ON mails (created_at) WHERE sealed IS NULL',
  ],
}
