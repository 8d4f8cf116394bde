import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startInstallation } from '../../support/command-line.ts';
import { startFrontdesk } from '../../support/frontdesk.ts';
import { openProxy } from '../../support/proxy.ts';
import { bridge, setUpChannels, sink } from '../sending.support.ts';

const PATIENT = { timeout: 60_000, interval: 100 };
const AWAY_MS = 3_000;

test('a message that its provider accepted while the database was down is sent once', async () => {
  const installation = await startInstallation();
  onTestFinished(installation.close);
  const { call, variables, databaseUrl } = installation;
  const proxy = await openProxy(databaseUrl);
  onTestFinished(() => proxy.cut());
  const to = await sink();
  to.answer = (_, response) => {
    // The worker learns that the message was accepted when it cannot record it.
    void (async () => {
      await proxy.cut();
      response.end('{"externalId": "X1"}');
      setTimeout(() => void proxy.restore(), AWAY_MS);
    })();
  };
  await setUpChannels(installation, bridge(to));
  await startFrontdesk(['worker'], { ...variables, DATABASE_URL: proxy.url });

  const ada = { firstName: 'Ada', lastName: 'Lovelace' };
  const { id: contactId } = (await call('POST /api/v1/contacts', { body: ada })).body.data;
  const opening = { contactId, channel: 'social_dm' };
  const { id } = (await call('POST /api/v1/conversations', { body: opening })).body.data;
  const messages = `/api/v1/conversations/${id}/messages`;
  await call(`POST ${messages}`, { body: { channel: 'social_dm', bodyText: 'Hello' } });

  await vi.waitFor(async () => {
    const [message] = (await call(`GET ${messages}`)).body.data;
    expect(message).toMatchObject({ status: 'sent', externalId: 'X1' });
  }, PATIENT);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await vi.waitFor(async () => {
    const { rows } = await client.query(
      `select from graphile_worker.jobs where task_identifier = 'conversations/send-message'`,
    );
    expect(rows).toEqual([]);
  }, PATIENT);
  expect(to.requests).toHaveLength(1);
});
