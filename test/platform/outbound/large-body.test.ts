import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Outbound, OutboundRequest } from '#core/outbound.ts';
import { openOutbound } from '#platform/outbound/client.ts';
import { startSink, type Sink } from '../../support/https-sink.ts';
import { answered, requestTo } from './support.ts';

let sink: Sink;
let outbound: Outbound;

const LARGE = 'x'.repeat(300_000);
const SMALL = 'x'.repeat(60_000);

beforeEach(async () => {
  sink = await startSink();
  sink.answer = ({ url }, response) => void response.end(url === '/large' ? LARGE : SMALL);
  outbound = openOutbound({ allow: ['127.0.0.0/8'] });
});

afterEach(async () => {
  await outbound.close();
  await sink.close();
});

const fetched = (path: string, more: Partial<OutboundRequest>) =>
  outbound.send(requestTo(`${sink.url}${path}`, { method: 'GET', readMaxBytes: 400_000, ...more }));

test('the rest of a large body is read once there is room for it', async () => {
  const room = Promise.withResolvers<void>();
  const makeRoom = vi.fn<() => Promise<void>>(() => room.promise);
  const answers = [fetched('/large', { makeRoom }), fetched('/small', { makeRoom })] as const;
  expect(answered(await answers[1]).body).toHaveLength(SMALL.length);
  await vi.waitFor(() => expect(makeRoom).toHaveBeenCalledOnce());

  room.resolve();
  expect(answered(await answers[0]).body).toHaveLength(LARGE.length);
  expect(answered(await fetched('/large', {})).body).toHaveLength(LARGE.length);
  expect(makeRoom).toHaveBeenCalledOnce();
});

test('a request for whose body there is no room fails with the reason, or at its timeout', async () => {
  const makeRoom = () => Promise.reject(new Error('the disk is full'));
  expect(await fetched('/large', { makeRoom })).toEqual({
    failure: 'the disk is full',
    wasSent: true,
  });
  const never = () => new Promise<void>(() => undefined);
  expect(await fetched('/large', { makeRoom: never, timeoutMs: 200 })).toEqual({
    failure: 'too many other large responses are being read',
    wasSent: true,
  });
});
