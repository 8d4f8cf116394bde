import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { SubscriptionStatus } from './subscription.schema.ts';

/** Narrows the events of an agent's subscription. */
export interface SubscriptionArguments {
  readonly contactId?: string | undefined;
}

export const SubscriptionTable = defineEntity({
  name: 'Subscription',
  tableName: 'webhook_subscriptions',
  uniques: [
    {
      properties: ['subAccountId', 'handle'],
      name: 'webhook_subscriptions_handle',
      where: 'handle is not null and deleted_at is null',
    },
  ],
  properties: {
    ...recordKey(),
    url: p.text(),
    events: p.array(),
    description: p.text().nullable(),
    status: p.text().$type<SubscriptionStatus>(),
    disabledReason: p.text().nullable(),
    /** Sealed; empty once the subscription is deleted. */
    secret: p.blob(),
    previousSecret: p.blob().nullable(),
    previousUntil: p.datetime().nullable(),
    /** Served up to this position of the sub-account's events. */
    position: p.bigint('number'),
    consecutiveFailures: p.integer().default(0),
    failingSince: p.datetime().nullable(),
    pausedUntil: p.datetime().nullable(),
    lastDeliveryAt: p.datetime().nullable(),
    lastSuccessAt: p.datetime().nullable(),
    ...timestamps(),
    deletedAt: p.datetime().nullable(),
    /** The API key of the agent that subscribed over MCP; null for subscriptions of the API. */
    keyId: p.uuid().nullable(),
    /** What the agent and its receiver call the subscription. */
    handle: p.text().nullable(),
    arguments: p.json<SubscriptionArguments>().nullable(),
    /** When the subscription of an agent ends; null if it does not. */
    expiresAt: p.datetime().nullable(),
    /** The job that has the lease of this subscription, until `leaseUntil`. */
    leaseHolder: p.text().fieldName('turn').nullable(),
    leaseUntil: p.datetime(6).fieldName('turn_until').nullable(),
    /** Another job came during the lease: its holder queues a job when it ends. */
    askedAgain: p.boolean().default(false),
  },
});

export class Subscription extends SubscriptionTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
SubscriptionTable.setClass(Subscription);
