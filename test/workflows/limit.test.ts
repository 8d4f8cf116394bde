import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { pino } from 'pino';
import { newId } from '#lib/id.ts';
import { listen } from '#platform/process/listen.ts';
import { createSubAccount } from '../../src/accounts/sub-accounts/create-sub-account.ts';
import { openHttp } from '../../src/commands/server/http-server.ts';
import { openService } from '../../src/commands/server/open-service.ts';
import { createDatabase } from '../support/database.ts';
import { OPERATOR } from '../support/service.ts';
import { applyTo, secretOf, signed, workflowOf } from './workflows.support.ts';
import { testFiles } from '../support/files.ts';

const RATE = { limit: 2, windowMs: 60_000 };
const RATES = {
  chat_session: RATE,
  chat_message: RATE,
  chat_activity: RATE,
  chat_file: RATE,
  form_file: RATE,
  form: RATE,
  booking: RATE,
  workflow: RATE,
  availability: RATE,
  sign_in: RATE,
  oauth: RATE,
  public_read: RATE,
  captcha: RATE,
  unsubscribe: RATE,
};

test('each address has its own limit per workflow, and calls with a wrong signature do not count', async () => {
  const database = await createDatabase();
  const service = openService({
    databaseUrl: database.url,
    secretKey: randomBytes(32),
    connections: 4,
    name: 'frontdesk test',
    log: pino({ level: 'silent' }),
    clock: () => new Date(),
    stays: true,
    files: testFiles(),
  });
  const http = openHttp(
    service,
    {
      rates: { read: RATE, write: RATE },
      publicRates: RATES,
      rateStore: 'memory',
      baseUrl: () => '',
    },
    [],
  );
  const listener = await listen(http.fetch, { host: '127.0.0.1', port: 0 });
  const sub = newId(new Date());
  await service.transact(sub, OPERATOR, (work) => createSubAccount(work, { name: 'Harbour' }));
  const {
    workflows: [flow],
  } = workflowOf([{ end: true }]);
  await applyTo(service, sub, { workflows: [flow, { ...flow, slug: 'other' }] });
  const call = async (path: string, secret: string) => {
    const body = JSON.stringify(
      path.includes('event') ? { eventType: 'x' } : { email: 'a@example.com' },
    );
    const headers = {
      'content-type': 'application/json',
      'x-webhook-signature': signed(secret, body),
    };
    const answer = await fetch(`${listener.url}/webhooks/${path}`, {
      method: 'POST',
      headers,
      body,
    });
    await answer.text();
    return [answer.status, answer.headers.get('retry-after') !== null];
  };
  const [secret, others] = [await secretOf(service, sub), await secretOf(service, sub, 'other')];
  for (let n = 0; n < 5; n += 1) {
    expect(await call('workflow/flow', 'wrong')).toEqual([401, false]);
  }
  expect(await call('workflow/flow', secret)).toEqual([200, false]);
  expect(await call('workflow/flow', secret)).toEqual([200, false]);
  expect(await call('workflow/flow', secret)).toEqual([429, true]);
  expect(await call('event/flow', secret)).toEqual([200, false]);
  expect(await call('workflow/other', others)).toEqual([200, false]);
  await listener.close(1_000);
  await http.close();
  await service.close();
  await database.drop();
});
