/** Webhooks: the events of accounts, the endpoints that receive them, and what is still to be delivered. */
import type { Migration } from './migration.ts'

export const webhooks: Migration = {
  name: '015-webhooks',
  statements: (type) => [
    // Without a reference to the account: an event outlives its account.
    `CREATE TABLE webhook_events (
      id ${type.id},
      account_id ${type.integer} NOT NULL,
      type TEXT NOT NULL,
      data TEXT NOT NULL,
      at ${type.integer} NOT NULL,
      queued_at ${type.integer}
    )`,
    'CREATE INDEX webhook_events_new ON webhook_events (at, id) WHERE queued_at IS NULL',
    'CREATE INDEX webhook_events_at ON webhook_events (at)',
    `CREATE TABLE webhook_endpoints (
      id ${type.id},
      uid TEXT NOT NULL UNIQUE,
      url TEXT NOT NULL,
      types TEXT,
      created_at ${type.integer} NOT NULL,
      master_key_id TEXT NOT NULL,
      sealed ${type.bytes} NOT NULL
    )`,
    `CREATE TABLE webhook_deliveries (
      id ${type.id},
      endpoint_id ${type.integer} NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
      event_id ${type.integer} NOT NULL,
      account_id ${type.integer} NOT NULL,
      queued_at ${type.integer} NOT NULL,
      attempts ${type.integer} NOT NULL DEFAULT 0,
      next_at ${type.integer},
      status ${type.integer},
      delivered_at ${type.integer},
      parked_at ${type.integer},
      UNIQUE (endpoint_id, event_id)
    )${type.updatedOften}`,
    // A delivery is due at `next_at`; one that is over has none.
    'CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_at) WHERE next_at IS NOT NULL',
    `CREATE INDEX webhook_deliveries_order ON webhook_deliveries (endpoint_id, account_id, id)
      WHERE next_at IS NOT NULL`,
    'CREATE INDEX webhook_deliveries_queued ON webhook_deliveries (queued_at)',
    'CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id)',
    `ALTER TABLE accounts ADD COLUMN low_credits ${type.integer}`,
  ],
}
