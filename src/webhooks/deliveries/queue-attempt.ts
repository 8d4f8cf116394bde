import { insertInto } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import { type Delivery, deliveryRecord } from './read-delivery.ts';
import { queueDelivery } from './webhooks.jobs.ts';

interface QueueAttemptQuery extends Delivery {
  readonly subscriptionId: string;
  readonly attempt: number;
}

/** Has an event sent now because somebody asked for it. Answers the row of the log, once written. */
export function queueAttempt(work: Work, asked: QueueAttemptQuery): () => Json {
  const { subAccountId, now } = work;
  const row: Record<(typeof MEMBERS)[number], unknown> = {
    ...asked,
    subAccountId,
    id: newId(now),
    trigger: 'manual',
    status: 'pending',
    createdAt: now,
    nextAttemptAt: now,
  };
  const written = work.writeRecord(
    INSERT,
    MEMBERS.map((member) => row[member]),
    deliveryRecord,
  );
  queueDelivery(work, asked.subscriptionId);
  return written;
}

const MEMBERS = [
  'subAccountId',
  'id',
  'subscriptionId',
  'eventId',
  'event',
  'attempt',
  'trigger',
  'status',
  'createdAt',
  'nextAttemptAt',
] as const;

const INSERT = `${insertInto('webhook_deliveries as d', MEMBERS)}
  returning ${deliveryRecord.members}`;
