import { noChanges } from '#platform/notify/changes.ts';
import { followChanges } from '../../src/console/changes/follow-changes.ts';
import { newThread, post } from '../conversations/conversations.support.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const V1 = '/console/api/v1';
const HOOK = { url: 'https://example.com/hook', events: ['contact.created'] };

describe('an integrator', () => {
  test('manages subscriptions, and reads their deliveries and the event feed', async ({
    service,
  }) => {
    const { call } = await signInAs(service, 'integrator');
    const created = await call(`POST ${V1}/webhooks`, { body: HOOK });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const { id } = created.body.data;
    for (const path of ['webhooks', 'deliveries', 'events', `webhooks/${id}/deliveries`]) {
      expect([path, (await call(`GET ${V1}/${path}`)).status]).toEqual([path, 200]);
    }
    const since = { body: { since: '2026-01-01T00:00:00Z' } };
    expect((await call(`POST ${V1}/webhooks/${id}/replay`, since)).status).toBe(200);
  });

  test('may ask why an event was not delivered, and about nothing else', async ({ service }) => {
    const { call } = await signInAs(service, 'integrator');
    const id = crypto.randomUUID();
    expect((await call(`GET ${V1}/why?kind=delivery&id=${id}`)).status).toBe(404);
    for (const kind of ['message', 'confirmation', 'reminder', 'step']) {
      const asked = await call(`GET ${V1}/why?kind=${kind}&id=${id}`);
      expect([kind, asked.status]).toEqual([kind, 403]);
    }
  });

  test('reads no contact, conversation, key or setting', async ({ service }) => {
    const { call } = await signInAs(service, 'integrator');
    const paths = ['contacts', 'conversations', 'team', 'keys', 'users', 'manifest', 'workflows'];
    for (const path of [...paths, 'audit', 'exports/contacts', 'inbox/counts']) {
      const { status, body } = await call(`GET ${V1}/${path}`);
      expect([path, status, body.error?.code]).toEqual([path, 403, 'FORBIDDEN']);
    }
  });

  test('gets changes of deliveries, and of nothing else', async ({ service }) => {
    const topics = new Set(['delivery']);
    const { id } = await newThread(service);
    const [first, second] = [await changesOf(service, topics), await changesOf(service)];
    await post(service, id, { channel: 'email', bodyText: 'A note', isInternal: true });
    const all = await second.next();
    expect(JSON.parse(all.value.data)).toMatchObject({ topic: 'message' });
    const subscriptionId = crypto.randomUUID();
    await service.database.rows(NOTE_DELIVERY, [service.subAccountId, subscriptionId]);
    const { value } = await first.next();
    expect(JSON.parse(value.data)).toEqual({ topic: 'delivery', id: subscriptionId });
    await Promise.all([first.leave(), second.leave()]);
  });
});

/** A change as the trigger of the log of deliveries notes it. */
const NOTE_DELIVERY = `insert into changes (sub_account_id, xid, id, topic, record_id)
  values ($1, pg_current_xact_id(), gen_random_uuid(), 'delivery', $2)`;

async function changesOf(service: TestService, topics?: ReadonlySet<string>) {
  const leaving = new AbortController();
  const view = service.openView(service.subAccountId, service.clock());
  const options = {
    process: { ...noChanges },
    clock: service.clock,
    topics,
    lastEventId: undefined,
  };
  const events = followChanges(view, { ...options, signal: leaving.signal });
  await events.next();
  return {
    next: () => events.next(),
    async leave() {
      leaving.abort();
      await events.return(undefined);
    },
  };
}
