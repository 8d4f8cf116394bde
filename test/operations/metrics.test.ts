import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { openWire } from '../support/wire.ts';
import { startFrontdesk } from '../support/frontdesk.ts';
import { openProxy } from '../support/proxy.ts';
import { withDatabase } from './backup.support.ts';
import { readExposition } from './exposition.support.ts';

const TOKEN = createHash('sha256').update('metrics').digest('hex');
const WAIT = { timeout: 60_000, interval: 100 };

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

const read = async (url = installation.url, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${url}/metrics`, { headers });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: await answer.text(),
  };
};
/** The value of a line, by all that stands before it. */
const valueIn = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
};

describe('metrics', () => {
  test('are valid for Prometheus: each metric once, with its help and type', async () => {
    const { status, type, text } = await read();
    expect({ status, type }).toEqual({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
    });
    expect(readExposition(text).size).toBeGreaterThan(20);
  });

  test('include all that the dashboard and the alarms use', async () => {
    const { text } = await read();
    const spokenOf = await Promise.all(
      ['docs/grafana-dashboard.json', 'docs/operations.md'].map((path) => readFile(path, 'utf8')),
    );
    const names = spokenOf.join('\n').match(/\bfrontdesk_[a-z_]+\b/g) ?? [];
    const known = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name ?? ''));
    const unknown = names.filter((name) => !known.has(name.replace(/_(?:bucket|sum|count)$/, '')));
    expect(names.length).toBeGreaterThan(10);
    expect(unknown).toEqual([]);
  });

  test('count responses by route pattern, method and status, whatever the methods', async () => {
    await installation.createContact();
    await installation.call('GET /api/v1/contacts/0198c0de-0000-7000-8000-000000000000');
    await fetch(`${installation.url}/api/v1/contacts`, { method: 'PROPFIND' });
    const { text } = await read();
    const posts =
      'frontdesk_http_requests_total{method="POST",route="/api/v1/contacts",status="201"}';
    expect(valueIn(text, posts)).toBeGreaterThanOrEqual(1);
    expect(text).toMatch(
      /_total\{method="GET",route="\/api\/v1\/contacts\/:id",status="404"\} 1\n/,
    );
    expect(text).toContain('method="other",route="/api/v1/contacts",status="405"');
    expect(text).not.toContain('PROPFIND');
    expect(text).not.toContain('0198c0de');
  });

  test('report response times in cumulative buckets', async () => {
    await installation.createContact();
    const { text } = await read();
    const of = (part: string) =>
      valueIn(text, `frontdesk_http_request_duration_seconds_${part}`) ?? -1;
    const route = 'route="/api/v1/contacts"';
    const all = of(`count{${route}}`);
    expect(all).toBeGreaterThanOrEqual(1);
    expect(of(`bucket{${route},le="+Inf"}`)).toBe(all);
    const edges = [...text.matchAll(/_bucket\{route="\/api\/v1\/contacts",le="[\d.]+"\} (\d+)/g)];
    const values = edges.map(([, value]) => Number(value));
    expect(values.length).toBeGreaterThan(5);
    expect(values).toEqual(values.toSorted((one, other) => one - other));
    expect(of(`sum{${route}}`)).toBeGreaterThan(0);
  });

  test('report the queue, the workers and the connections', async () => {
    await withDatabase(installation.databaseUrl, async (client) => {
      await client.query(
        `select graphile_worker.add_job('test/late', run_at => now() - interval '1 h')`,
      );
      await client.query(`update holding set held_since = now(), reason = 'test'`);
    });
    await vi.waitFor(async () => {
      const { text } = await read();
      expect(valueIn(text, 'frontdesk_queue_depth')).toBe(1);
      expect(valueIn(text, 'frontdesk_queue_oldest_seconds')).toBeGreaterThan(3_599);
      expect(valueIn(text, 'frontdesk_workers_held')).toBe(1);
      expect(valueIn(text, 'frontdesk_outbox_events')).toBeGreaterThan(0);
      expect(valueIn(text, 'frontdesk_database_up')).toBe(1);
      expect(valueIn(text, 'frontdesk_database_connections{state="open"}')).toBeGreaterThan(0);
    }, WAIT);
  });

  test('count recent deliveries and messages', async () => {
    const { databaseUrl, subAccountId, subscribe } = installation;
    const id = await subscribe('https://127.0.0.1:1/hook');
    await withDatabase(databaseUrl, (client) =>
      client.query(
        `insert into webhook_deliveries
           (sub_account_id, id, subscription_id, event_id, event, attempt, trigger, status, created_at)
         select $1, made::uuid, $2, gen_random_uuid(), 'contact.created', 1, 'scheduled', 'failed', now()
         from (values
           (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008000000000000001'),
           ('00000000000070008000000000000002')
         ) as ids (made)`,
        [subAccountId, id],
      ),
    );
    await vi.waitFor(async () => {
      const { text } = await read();
      expect(valueIn(text, 'frontdesk_webhook_attempts_recent{status="failed"}')).toBe(1);
    }, WAIT);
  });

  test('are served to this machine only, not to clients of a proxy on it', async () => {
    for (const header of [
      'x-forwarded-for',
      'forwarded',
      'x-real-ip',
      'x-forwarded-host',
      'x-forwarded-proto',
      'X-Forwarded-Anything',
      'via',
    ]) {
      const { status, text } = await read(installation.url, { [header]: '203.0.113.9' });
      expect(status).toBe(403);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'FORBIDDEN' } });
    }
  });

  test('are served to callers that use a name of this machine', async () => {
    const statusFor = async (host: string) => {
      const wire = await openWire(installation.url);
      wire.send(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      const { status } = await wire.answer();
      wire.hangUp();
      return status;
    };
    for (const host of [
      'localhost',
      'LOCALHOST:8080',
      '127.0.0.1:9',
      '127.1.2.3',
      '[::1]:80',
      hostname(),
    ]) {
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    }
    for (const host of [
      'evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '10.0.0.1',
    ]) {
      expect([host, await statusFor(host)]).toEqual([host, 403]);
    }
  });

  test('with a token are served to any caller that has it', async () => {
    const variables = { ...installation.variables, FRONTDESK_METRICS_TOKEN: TOKEN };
    const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
    const authorization = `Bearer ${TOKEN}`;
    expect((await read(said.url)).status).toBe(401);
    expect((await read(said.url, { authorization: `${authorization}x` })).status).toBe(401);
    const forwarded = { authorization, 'x-forwarded-for': '203.0.113.9' };
    expect((await read(said.url, forwarded)).status).toBe(200);
  });

  test('report an unavailable database, and all other metrics', async () => {
    const proxy = await openProxy(installation.databaseUrl);
    const variables = { ...installation.variables, DATABASE_URL: proxy.url };
    const { said } = await startFrontdesk(['serve', '--port', '0'], variables);
    await proxy.cut();
    await vi.waitFor(async () => {
      const { status, text } = await read(said.url);
      expect([status, valueIn(text, 'frontdesk_database_up')]).toEqual([200, 0]);
      expect(valueIn(text, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    }, WAIT);
  });
});
