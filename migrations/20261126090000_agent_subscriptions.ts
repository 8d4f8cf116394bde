import { defineMigration } from '#platform/database/migrate/migration.ts';

export const agentSubscriptions = defineMigration('20261126090000_agent_subscriptions', [
  // Of subscriptions that agents make over MCP: the key, what the agent calls the subscription, and
  // until when it lasts.
  `alter table webhook_subscriptions
     add key_id uuid,
     add handle text,
     add arguments jsonb,
     add expires_at timestamptz(3),
     add check ((key_id is null) = (handle is null)),
     add check (expires_at is null or key_id is not null)`,
  `create unique index webhook_subscriptions_handle on webhook_subscriptions (sub_account_id, handle)
     where handle is not null and deleted_at is null`,
  `create index webhook_subscriptions_key on webhook_subscriptions (key_id)
     where key_id is not null and deleted_at is null`,
]);
