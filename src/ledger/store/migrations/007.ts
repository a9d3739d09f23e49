/** Migration 007: accounts are bound to the person of a provider. */
import type { Migration } from './migration.ts'

export const signOn: Migration = {
  name: '007-sign-on',
  statements: () => [
    'ALTER TABLE accounts ADD COLUMN sign_on TEXT',
    'CREATE UNIQUE INDEX accounts_sign_on ON accounts (sign_on) WHERE sign_on IS NOT NULL',
  ],
}
