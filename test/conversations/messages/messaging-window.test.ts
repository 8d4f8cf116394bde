import { expect, test } from '../../support/service.ts';
import { threadsOf } from '../inbound/callbacks.support.ts';
import { post } from '../conversations.support.ts';
import { aboutPage, direct, metaCalls, setUpMeta } from '../providers/providers.support.ts';

const HOUR_MS = 3_600_000;

test('a reply is accepted within 24 hours of the contact’s last message, and refused after that', async ({
  service,
}) => {
  await setUpMeta(service);
  const old = { sender: { id: 'psid-old' }, timestamp: Date.now() - 25 * HOUR_MS };
  await metaCalls(service, aboutPage(direct({}, old)));
  const [{ id }] = await threadsOf(service);
  await service.eventNames();
  const message = { channel: 'messenger', bodyText: 'Hello' };
  const { status, body } = await post(service, id, message);
  expect([status, body.error.details]).toEqual([
    400,
    { issues: [expect.objectContaining({ path: '' })], reason: 'outside_messaging_window' },
  ]);
  expect(await service.eventNames()).toEqual([]);

  await metaCalls(service, aboutPage(direct({}, { sender: { id: 'psid-old' } })));
  expect((await post(service, id, message)).status).toBe(201);
  expect((await post(service, id, { ...message, isInternal: true })).status).toBe(201);
});

test('a page cannot write first: it does not have the contact’s address', async ({ service }) => {
  await setUpMeta(service);
  const request = { firstName: 'Ada', lastName: 'Lovelace' };
  const { id: contactId } = (await service.call('POST /api/v1/contacts', { body: request })).body
    .data;
  const { id } = (
    await service.call('POST /api/v1/conversations', { body: { contactId, channel: 'messenger' } })
  ).body.data;
  const { status, body } = await post(service, id, { channel: 'messenger', bodyText: 'Hello' });
  expect([status, body.error.details.issues[0].path]).toEqual([400, '/toAddress']);
});
