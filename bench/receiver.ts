import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { readSecretKey, secretsOf } from '#platform/config/secrets.ts';
import { secretPlace } from '../src/webhooks/subscriptions/subscription.store.ts';
import { EVENT } from './announce.ts';
import type { Arrival, Count } from './baselines/sink.ts';
import type { Ground } from './ground.ts';
import { startServerProcess } from './processes.ts';

const SINK = new URL('baselines/sink.ts', import.meta.url).pathname;

/** The receiver of webhooks: a process that counts them. */
export interface Receiver {
  /** The URL for posts. */
  readonly url: string;
  count(): Promise<Count>;
  arrivals(): Promise<Arrival[]>;
  forget(): Promise<void>;
}

export async function startReceiver({ scratch, resources }: Ground): Promise<Receiver> {
  const sink = await startServerProcess({
    command: (port) => [process.execPath, SINK, String(port)],
    env: {},
    logFile: join(scratch, 'sink.log'),
    resources,
  });
  const ask = async (path: string, method = 'GET'): Promise<any> =>
    (await fetch(`${sink.url}${path}`, { method })).json();
  return {
    url: `${sink.url}/hook`,
    count: () => ask('/count'),
    arrivals: () => ask('/arrivals'),
    forget: () => ask('/count', 'DELETE'),
  };
}

/** Posts per second, from the first arrival to the last. */
export const rateOf = ({ count, firstMs, lastMs }: Count): number =>
  (count / (lastMs - firstMs)) * 1_000;

export interface Subscription {
  readonly id: string;
  readonly subAccountId: string;
}

/**
 * Subscribes to created contacts; `resources` remove the subscription and its log. Inserted by SQL,
 * since the API refuses local addresses.
 */
export async function subscribe(
  { sql, env, resources }: Pick<Ground, 'sql' | 'env' | 'resources'>,
  subAccountId: string,
  { url }: Pick<Receiver, 'url'>,
): Promise<Subscription> {
  const id = uuidv7();
  const secret = `whsec_${randomBytes(20).toString('hex')}`;
  const sealed = secretsOf(secretKeyOf(env)).seal(secret, secretPlace(id));
  resources.defer(async () => {
    await sql.query('delete from webhook_subscriptions where id = $1', [id]);
  });
  await sql.query(SUBSCRIBE, [subAccountId, id, url, [EVENT], sealed]);
  return { id, subAccountId };
}

const SUBSCRIBE = `insert into webhook_subscriptions (sub_account_id, id, url, events, status, secret,
    position, created_at, updated_at)
  select $1, $2, $3, $4, 'active', $5, coalesce(max(position), 0), now(), now()
  from events where sub_account_id = $1`;

function secretKeyOf(env: Ground['env']): Buffer {
  const key = readSecretKey(env['FRONTDESK_SECRET_KEY'] ?? '');
  if (!key) {
    throw new Error('the ground has no secret key');
  }
  return key;
}
