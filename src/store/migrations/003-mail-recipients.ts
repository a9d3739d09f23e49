/** Who a mail is for: beside its sealed text, which is bound to it. */
import type { Migration } from './migration.ts'

export const mailRecipients: Migration = {
  name: '003-mail-recipients',
  statements: () => [
    // Null once the text is erased.
    'ALTER TABLE mails ADD COLUMN recipient TEXT',
    'CREATE INDEX mails_done ON mails (created_at) WHERE sealed IS NULL',
  ],
}
