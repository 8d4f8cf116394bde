import { createHmac } from 'node:crypto';
import { newId } from '#lib/id.ts';
import type { InboundMessage } from '../../../src/conversations/inbound/callback.schema.ts';
import { channelPlace } from '../../../src/conversations/channels/channel.store.ts';
import { expect, type Answer, type TestService } from '../../support/service.ts';

export const SECRET = 'bridge-secret-ü';

interface CallbacksInput {
  readonly provider: string;
  readonly settings?: object;
  readonly secrets?: object;
}

/** Sets up a channel with sealed secrets, as the manifest does. */
export async function setUpChannel(
  { database, secrets, subAccountId, noticed }: TestService,
  channel: string,
  { provider, settings = {}, secrets: held }: CallbacksInput,
): Promise<void> {
  const id = newId(new Date());
  const sealed = held ? secrets.seal(JSON.stringify(held), channelPlace(id)) : null;
  await database.rows(
    `insert into channels
       (sub_account_id, id, channel, provider, settings, secrets, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, now(), now())`,
    [subAccountId, id, channel, provider, JSON.stringify(settings), sealed],
  );
  await noticed();
}

export const setUpBridge = (
  service: TestService,
  channel: string,
  { provider = 'http', secret = SECRET }: { provider?: string; secret?: string | null } = {},
): Promise<void> =>
  setUpChannel(service, channel, { provider, ...(secret !== null && { secrets: { secret } }) });

export const signatureOf = (raw: string | Uint8Array, secret = SECRET): string =>
  `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`;

export const pathOf = ({ subAccountId }: TestService, channel: string, kind: string): string =>
  `/webhooks/provider/${subAccountId}/${channel}/${kind}`;

/** Calls back as the bridge of a channel does. */
export function callBack(
  service: TestService,
  channel: string,
  kind: 'inbound' | 'status',
  body: unknown,
): Promise<Answer> {
  const raw = JSON.stringify(body);
  return service.call(`POST ${pathOf(service, channel, kind)}`, {
    key: null,
    raw,
    headers: { 'x-signature': signatureOf(raw) },
  });
}

let count = 0;

/** A message as a bridge posts it; each has an id of its own. */
export const words = (more: Partial<InboundMessage> = {}): InboundMessage => ({
  externalId: `IN${(count += 1)}`,
  from: '+4930123456',
  bodyText: 'Is Tuesday still free?',
  ...more,
});

/** Receives a message and returns its id. */
export async function brought(
  service: TestService,
  channel: string,
  body: object,
): Promise<string> {
  const answer = await callBack(service, channel, 'inbound', body);
  expect([answer.status, answer.body]).toEqual([200, { data: { messageId: expect.any(String) } }]);
  return answer.body.data.messageId as string;
}

export const contactsOf = async ({ call }: TestService): Promise<any[]> =>
  (await call('GET /api/v1/contacts')).body.data;

export const threadsOf = async ({ call }: TestService): Promise<any[]> =>
  (await call('GET /api/v1/conversations')).body.data;

/** The events of a message from a new sender. */
export const FRESH = ['contact.created', 'message.received'];
