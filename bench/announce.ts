import { OUTBOX_CHANNEL } from '#platform/notify/outbox-notifier.ts';
import type { Ground } from './ground.ts';
import type { Subscription } from './receiver.ts';
import { until } from './processes.ts';

export const EVENT = 'contact.created';

/** The fields of a new contact in its event. */
const FIELDS = {
  firstName: 'Katharina',
  lastName: 'Belmonte',
  email: 'katharina.belmonte@example.com',
  phone: '+493012345678',
  company: 'Belmonte GmbH',
  source: 'website',
  tags: ['newsletter', 'vip'],
  lifecycleStage: 'lead',
};

const LOG_MS = 30_000;

/**
 * Inserts events into the outbox like a transaction of the product, in turn for each subscription.
 */
export async function announce(
  { sql }: Pick<Ground, 'sql'>,
  subscriptions: readonly Subscription[],
  events: number,
): Promise<void> {
  const accounts = subscriptions.map(({ subAccountId }) => subAccountId);
  await sql.query(ANNOUNCE, [accounts, events, EVENT, JSON.stringify(FIELDS)]);
  await sql.query(`select pg_notify($1, '')`, [OUTBOX_CHANNEL]);
}

/**
 * Inserts the same number of events for each sub-account in one transaction, ordered by
 * sub-account.
 */
export async function announceTogether(
  { sql }: Pick<Ground, 'sql'>,
  subAccountIds: readonly string[],
  events: number,
): Promise<void> {
  await sql.query('begin');
  for (const id of subAccountIds) {
    await sql.query(ANNOUNCE, [[id], events, EVENT, JSON.stringify(FIELDS)]);
  }
  await sql.query('commit');
  await sql.query(`select pg_notify($1, '')`, [OUTBOX_CHANNEL]);
}

const ANNOUNCE = `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
  select ($1::uuid[])[1 + n % cardinality($1::uuid[])], new_id(), $3, new_id(), $4, now()
  from generate_series(1, $2::int) as n`;

/** The body of such an event, as large as the product's. */
export async function sampleBody(
  { sql }: Ground,
  { id, subAccountId }: Subscription,
): Promise<string> {
  const { rows } = await sql.query<{ locationId: string }>(
    'select location_id as "locationId" from sub_accounts where id = $1',
    [subAccountId],
  );
  const data = { subAccountId, ...rows[0], contactId: id, ...FIELDS };
  return JSON.stringify({ event: EVENT, timestamp: new Date().toISOString(), data });
}

/** Waits until the log contains this number of successful deliveries. */
export async function allLogged(
  { sql }: Ground,
  subscriptions: readonly Subscription[],
  deliveries: number,
): Promise<void> {
  const accounts = subscriptions.map(({ subAccountId }) => subAccountId);
  const ids = subscriptions.map(({ id }) => id);
  await until(LOG_MS, `the log holds ${deliveries} deliveries`, async () => {
    const { rows } = await sql.query<{ logged: string }>(LOGGED, [accounts, ids]);
    return Number(rows[0]?.logged) === deliveries;
  });
}

const LOGGED = `select count(*) as logged from webhook_deliveries
  where sub_account_id = any($1) and subscription_id = any($2) and status = 'succeeded'`;
