import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Outbound } from '#core/outbound.ts';
import { openOutbound } from '#platform/outbound/client.ts';
import { startSink, type Sink } from '../../support/https-sink.ts';
import { answered, requestTo } from './support.ts';

/** Requests of `a` to the path /hang get no response until the test sends it. */
let hanging: ServerResponse[];
let sink: Sink;
let outbound: Outbound;

beforeEach(async () => {
  hanging = [];
  sink = await startSink();
  sink.answer = ({ url }, response) => {
    if (url === '/hang') {
      hanging.push(response);
    } else {
      response.end('ok');
    }
  };
  outbound = openOutbound({ allow: ['127.0.0.0/8'] });
});

afterEach(async () => {
  await outbound.close();
  await sink.close();
});

const MANY = 200;
/** Half of the 128 places of an origin. */
const SHARE = 64;

const send = (subAccountId: string, path: string, more = {}) =>
  outbound.send(requestTo(`http://127.0.0.1:${sink.port}${path}`, { subAccountId, ...more }));

const hang = (more = {}) => Array.from({ length: MANY }, () => send('a', '/hang', more));

test.each([true, false])(
  'requests of one sub-account that get no response leave connections for others (repeatable: %s)',
  async (isRepeatable) => {
    const sent = hang({ isRepeatable });
    await sink.next(SHARE);
    expect(answered(await send('b', '/')).status).toBe(200);
    expect(answered(await send('b', '/', { isRepeatable: false })).status).toBe(200);
    expect(sink.requests).toHaveLength(SHARE + 2);
    await outbound.close();
    expect(await Promise.all(sent)).toMatchObject(sent.map(() => ({ failure: 'aborted' })));
  },
);

test('a request that finds no connection in time is reported as not sent', async () => {
  void hang();
  await sink.next(SHARE);
  expect(await send('a', '/', { timeoutMs: 20 })).toEqual({
    failure: `no connection to 127.0.0.1:${sink.port} was free within 20 ms`,
    wasSent: false,
    hadNoConnection: true,
  });
  expect(sink.requests).toHaveLength(SHARE);
});

test('a request that waits for a connection is sent once one is free, with all of its time', async () => {
  const sent = hang();
  await sink.next(SHARE);
  for (let answers = 0; answers < MANY; answers += 1) {
    await sink.next(answers + 1);
    hanging[answers]?.end('ok');
  }
  const statuses = (await Promise.all(sent)).map((one) => answered(one).status);
  expect(statuses).toEqual(sent.map(() => 200));
  expect(sink.connections).toBeLessThanOrEqual(SHARE * 2);
});

test('a request that is given up while it waits takes no connection', async () => {
  const sent = hang();
  await sink.next(SHARE);
  const end = new AbortController();
  const given = send('a', '/never', { signal: end.signal });
  end.abort();
  expect(await given).toMatchObject({ failure: 'aborted', wasSent: false });
  for (let answers = 0; answers < MANY; answers += 1) {
    await sink.next(answers + 1);
    hanging[answers]?.end('ok');
  }
  await Promise.all(sent);
  expect(sink.requests.map(({ path }) => path)).not.toContain('/never');
});

test('requests that end without a response give their connections back', async () => {
  for (const round of [1, 2, 3]) {
    const end = new AbortController();
    const { signal } = end;
    const sent = Array.from({ length: SHARE }, () => send('a', '/hang', { signal }));
    await sink.next(SHARE * round);
    end.abort();
    expect(await Promise.all(sent)).toEqual(
      sent.map(() => ({ failure: 'aborted', wasSent: true })),
    );
  }
});

test('requests that do not connect give their connections back', async () => {
  const url = `http://127.0.0.1:${sink.port}/`;
  await sink.close();
  const sent = Array.from({ length: MANY }, () => outbound.send(requestTo(url)));
  expect(await Promise.all(sent)).toEqual(
    sent.map(() => ({ failure: 'connection refused', wasSent: false })),
  );
  sink = await startSink();
});
