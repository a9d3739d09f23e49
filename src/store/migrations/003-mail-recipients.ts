/** Who a mail is for: beside its sealed text, which is bound to it. */
import type { Migration } from './migration.ts'

export const mailRecipients: Migration = {
  name: '003-mail-recipients',
  // Null once the text is erased.
  statements: () => ['ALTER TABLE mails ADD COLUMN recipient TEXT'],
}
