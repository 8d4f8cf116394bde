import { newId } from '#lib/id.ts';
import { SUBSCRIPTION } from '../../support/samples.ts';
import type { TestService } from '../../support/service.ts';

export const PATH = '/api/v1/webhooks';

/** A subscription as the API returns it, with its secret. */
export async function subscribe({ call }: TestService, body: object = {}, key = 'full') {
  const answer = await call(`POST ${PATH}`, { key, body: { ...SUBSCRIPTION, ...body } });
  if (answer.status !== 201) {
    throw new Error(JSON.stringify(answer.body));
  }
  return answer.body.data;
}

/** Fires an event whose contact id is the event's id. */
export async function fire({ call }: TestService, key = 'full'): Promise<string> {
  const body = { firstName: 'Ada', lastName: 'Lovelace' };
  return (await call('POST /api/v1/contacts', { key, body })).body.data.id;
}

export async function stored({ database }: TestService, id: string) {
  const [row] = await database.rows<any>('select * from webhook_subscriptions where id = $1', [id]);
  return row;
}

/** Returns the audit entries of a record, oldest first. */
export const audited = async ({ database }: TestService, id: string): Promise<string[]> =>
  (
    await database.rows<{ operation: string }>(
      'select operation from audit_entries where record_id = $1 order by id',
      [id],
    )
  ).map(({ operation }) => operation);

/** Returns the position of the sub-account's last published event. */
export async function lastPosition({ database, subAccountId }: TestService): Promise<number> {
  const [row] = await database.rows<{ position: number }>(
    'select max(position) as position from events where sub_account_id = $1',
    [subAccountId],
  );
  return row?.position ?? 0;
}

/** Writes an attempt of a subscription as a delivery does. */
export async function attempt(
  { database, subAccountId }: TestService,
  given: Record<string, unknown> & { readonly subscription_id: string },
): Promise<string> {
  const row = {
    sub_account_id: subAccountId,
    id: newId((given['created_at'] as Date | undefined) ?? new Date()),
    event_id: crypto.randomUUID(),
    event: 'contact.created',
    attempt: 1,
    trigger: 'scheduled',
    status: 'pending',
    created_at: new Date(),
    next_attempt_at: given['status'] === undefined ? new Date(Date.now() + 60_000) : null,
    ...given,
  };
  await database.rows(
    `insert into webhook_deliveries
     select * from json_populate_record(null::webhook_deliveries, $1::json)`,
    [JSON.stringify(row)],
  );
  return row.id;
}

export async function deliveryRow({ database }: TestService, id: string) {
  const [row] = await database.rows<any>('select * from webhook_deliveries where id = $1', [id]);
  return row;
}

/** Returns the queued delivery jobs. */
export const jobsOf = ({ database }: TestService, id: string) =>
  database.rows<any>('select * from graphile_worker.jobs where key = $1', [
    `webhooks/deliver:${id}`,
  ]);
