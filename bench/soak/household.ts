import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { uuidv7 } from 'uuidv7';
import { readSecretKey, secretsOf } from '#platform/config/secrets.ts';
import { secretPlace } from '../../src/webhooks/subscriptions/subscription.store.ts';
import { frontdesk, type Environment } from '../processes.ts';

/** The records that the requests use. */
export interface Household {
  readonly subAccountId: string;
  readonly authorization: string;
  readonly appointmentTypeId: string;
  readonly pipelineId: string;
  readonly stageIds: readonly string[];
  readonly formId: string;
  /** The token of a link that signs the owner in, once. */
  readonly signInToken: string;
  /** Signs the calls that start the workflow `callback`. */
  readonly workflowSecret: string;
}

/** The demo's dental practice as a sandbox: its mails are captured. */
export async function foundHousehold(env: Environment, scratch: string): Promise<Household> {
  const create = ['admin', 'sub-account', 'create', '--name', 'Soak', '--sandbox'];
  const { id } = await frontdesk(env, ...create);
  const manifest = join(scratch, 'soak.yaml');
  const demo = await readFile(new URL('../../config/demo.yaml', import.meta.url), 'utf8');
  // A soak solves no captchas, and also runs at night.
  const open = demo.replace('captcha: true', 'captcha: false').replace(HOURS, ALWAYS);
  await writeFile(manifest, open.replace('workflows:\n', `workflows:\n${CALLBACK}`));
  const apply = ['admin', 'apply', '-f', manifest, '--sub-account', id];
  const { ids } = await frontdesk(env, ...apply);
  const options = ['--sub-account', id, '--name', 'soak', '--scopes', 'all'];
  const { key } = await frontdesk(env, 'admin', 'key', 'create', ...options);
  const regenerate = ['secret', 'regenerate', 'workflow', 'callback', '--sub-account', id];
  const { secret } = await frontdesk(env, 'admin', ...regenerate);
  const invite = ['user', 'invite', '--email', 'owner@soak.example', '--role', 'owner'];
  const { link } = await frontdesk(env, 'admin', ...invite);
  return {
    subAccountId: id,
    authorization: `Bearer ${key}`,
    appointmentTypeId: ids.appointmentTypes['check-up'],
    pipelineId: ids.pipelines.sales,
    stageIds: Object.values<string>(ids.stages),
    formId: ids.forms.contact,
    signInToken: new URL(link).hash.slice(1),
    workflowSecret: secret,
  };
}

const HOURS = /hours:\n(?: {6}.*\n)+/;
const ALWAYS = `hours:\n${['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  .map((day) => `      ${day}: ['00:00-24:00']\n`)
  .join('')}`;

/** A workflow that other programs start. */
const CALLBACK = `  - slug: callback
    name: Call back
    reenter: true
    triggers:
      - { on: inbound_webhook }
    steps:
      - { addTag: called }
      - { createTask: { title: 'Call {{fullName}}', dueIn: 1d, assign: ben } }
      - { removeTag: called }
`;

/** Subscribes to all events, by SQL, since the API refuses local addresses. */
export async function subscribeToAll(
  sql: Client,
  env: Environment,
  { subAccountId }: Household,
  url: string,
  events: readonly string[],
): Promise<void> {
  const key = readSecretKey(env['FRONTDESK_SECRET_KEY'] ?? '');
  if (!key) {
    throw new Error('there is no secret key');
  }
  const id = uuidv7();
  const secret = secretsOf(key).seal(`whsec_${randomBytes(20).toString('hex')}`, secretPlace(id));
  await sql.query(SUBSCRIBE, [subAccountId, id, url, events, secret]);
}

const SUBSCRIBE = `insert into webhook_subscriptions
    (sub_account_id, id, url, events, status, secret, position, created_at, updated_at)
  select $1, $2, $3, $4, 'active', $5, coalesce(max(position), 0), now(), now()
  from events where sub_account_id = $1`;
