import { isoText } from '#core/schema/columns.ts';
import { orNotFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';

export interface StoredEvent {
  readonly id: string;
  readonly name: string;
  /** Null before it is published. */
  readonly position: number | null;
  readonly contactId: string | null;
  readonly data: object;
  readonly occurredAt: string;
}

/** Returns an event of the last 30 days. Throws NOT_FOUND. */
export async function findEvent(view: View, id: string): Promise<StoredEvent> {
  const [event] = await view.rows<StoredEvent>(FIND, [view.subAccountId, id]);
  return orNotFound(event, 'event');
}

const COLUMNS = `id, name, contact_id as "contactId", data, ${isoText('occurred_at')} as "occurredAt"`;

const FIND = `select ${COLUMNS}, position from events where sub_account_id = $1 and id = $2
  union all select ${COLUMNS}, null from outbox where sub_account_id = $1 and id = $2`;
