import { vi } from 'vitest';
import { SUBSCRIPTION } from '../../support/samples.ts';
import { describe, expect, test } from '../../support/service.ts';
import { PATH, subscribe } from '../subscriptions/subscriptions.support.ts';

const PRIVATE = [
  'https://127.0.0.1/',
  'https://127.8.9.1:8443/hook',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://198.18.0.1/',
  'https://192.0.2.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:93.184.215.14]/',
  'https://[64:ff9b::5db8:d70e]/',
  'https://[2002:5db8:d70e::1]/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://[ff02::1]/',
  'https://localhost/',
  'https://localhost:8443/',
  'https://LOCALHOST./',
  'https://api.localhost/',
  'https://１２７.０.０.１/',
];

describe('a subscription', () => {
  test.for(PRIVATE)('cannot be created for %s or changed to it', async (url, { service }) => {
    const { id } = await subscribe(service);
    for (const answer of [
      await service.call(`POST ${PATH}`, { body: { ...SUBSCRIPTION, url } }),
      await service.call(`PATCH ${PATH}/${id}`, { body: { url } }),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error.details.issues).toMatchObject([{ in: 'body', path: '/url' }]);
    }
    const { data } = (await service.call(`GET ${PATH}`)).body;
    expect(data.map((one: { url: string }) => one.url)).toEqual([SUBSCRIPTION.url]);
  });

  test('cannot be created for port 0 or changed to it', async ({ service }) => {
    const { id } = await subscribe(service);
    for (const url of ['https://93.184.215.14:0/', 'https://hooks.example.com:00/x']) {
      for (const answer of [
        await service.call(`POST ${PATH}`, { body: { ...SUBSCRIPTION, url } }),
        await service.call(`PATCH ${PATH}/${id}`, { body: { url } }),
      ]) {
        expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
        expect(answer.body.error.details.issues).toMatchObject([
          { in: 'body', path: '/url', message: 'is refused: the URL has port 0' },
        ]);
      }
    }
    const { data } = (await service.call(`GET ${PATH}`)).body;
    expect(data.map((one: { url: string }) => one.url)).toEqual([SUBSCRIPTION.url]);
    expect(await service.eventNames()).toEqual([]);
  });

  test.for(['https://93.184.215.14:8443/a?b=c', 'https://[2606:2800:21f:cb07::1]/'])(
    'can be created for %s',
    async (url, { service }) => {
      expect((await subscribe(service, { url })).url).toBe(url);
    },
  );
});

describe('the host of a subscription', () => {
  test.for([{}, { 'idempotency-key': 'k' }])(
    'is resolved while no transaction is open, with headers %o',
    async (headers, { service }) => {
      const { tools, database, call } = service;
      const { id } = await subscribe(service);
      const open: number[] = [];
      const refusal = vi.spyOn(tools.outbound, 'refusal').mockImplementation(async () => {
        const [row] = await database.rows<{ count: number }>(
          `select count(*) from pg_stat_activity
           where datname = current_database() and state like 'idle in transaction%'`,
        );
        open.push(row?.count ?? -1);
        return undefined;
      });
      const made = await call(`POST ${PATH}`, { body: SUBSCRIPTION, headers });
      const moved = await call(`PATCH ${PATH}/${id}`, { body: { url: SUBSCRIPTION.url } });
      refusal.mockRestore();
      expect([made.status, moved.status, open]).toEqual([201, 200, [0, 0]]);
    },
  );

  test('is not resolved if the rest of the body is invalid, or without a url', async ({
    service,
  }) => {
    const { tools, call } = service;
    const { id } = await subscribe(service);
    const refusal = vi.spyOn(tools.outbound, 'refusal');
    await call(`POST ${PATH}`, { body: { ...SUBSCRIPTION, events: ['none'] } });
    await call(`PATCH ${PATH}/${id}`, { body: { description: 'x' } });
    expect(refusal).not.toHaveBeenCalled();
    refusal.mockRestore();
  });

  test('is refused again if the request is repeated', async ({ service }) => {
    const options = {
      body: { ...SUBSCRIPTION, url: 'https://10.0.0.1/' },
      headers: { 'idempotency-key': 'k' },
    };
    const first = await service.call(`POST ${PATH}`, options);
    const again = await service.call(`POST ${PATH}`, options);
    expect([first.status, again.status]).toEqual([400, 400]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });
});
