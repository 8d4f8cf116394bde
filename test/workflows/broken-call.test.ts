import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { handleAdvanceRun } from '../../src/workflows/runs/advance-run.ts';
import { startDelivering } from '../support/deliveries.ts';
import { startSink } from '../support/https-sink.ts';
import { OPERATOR } from '../support/service.ts';
import { useConnections } from '../support/used-connections.ts';
import { applyTo, begin, logOf, runThatIs, taken, workflowOf } from './workflows.support.ts';

/** The attempt after which an unexpected error fails the run. */
const LAST_ATTEMPT = 10;

test('a call that always throws fails its run instead of blocking it forever', async () => {
  const key = randomBytes(32).toString('base64');
  const service = await startDelivering({ FRONTDESK_SECRET_KEY: key });
  const sub = await service.subAccount();
  const http = { url: 'http://127.0.0.1:9/', headers: { 'x-token': 'secret' } };
  await applyTo(service, sub, workflowOf([{ http }]));
  const [runId = ''] = await begin(service, sub, [null]);
  // Sealed with another key.
  await service.database.rows(
    `update workflow_versions
     set steps = replace(steps::text, '"sealedHeaders":"', '"sealedHeaders":"AAAA')::json`,
  );
  const advance = (attempt: number) =>
    handleAdvanceRun.handle({ subAccountId: sub, runId }, {
      ...service,
      actor: OPERATOR,
      attempt,
      signal: new AbortController().signal,
      settings: { sendRetries: [], webhookTimeout: 1_000 },
    } as unknown as JobContext);
  await expect(advance(LAST_ATTEMPT - 1)).rejects.toBeInstanceOf(Error);
  expect(await logOf(service, sub, runId)).toEqual([]);
  await advance(LAST_ATTEMPT);
  expect((await runThatIs(service, sub, 'failed')).error).toBeTruthy();
  expect(taken(await logOf(service, sub, runId))).toEqual(['/0 http failed']);
});

test('a call that is made again is a line of the log, without the body of the response', async () => {
  const service = await startDelivering({});
  const sub = await service.subAccount();
  const sink = await startSink();
  sink.answer = (_, response) => {
    response.statusCode = 503;
    response.end('for ada@example.com');
  };
  await applyTo(service, sub, workflowOf([{ http: { url: sink.url } }]));
  const [runId = ''] = await begin(service, sub, [null]);
  const lines: object[] = [];
  await handleAdvanceRun.handle({ subAccountId: sub, runId }, {
    ...service,
    actor: OPERATOR,
    attempt: 1,
    signal: new AbortController().signal,
    settings: { sendRetries: [60_000], webhookTimeout: 5_000 },
    log: { warn: (facts: object, msg: string) => lines.push({ ...facts, msg }) },
  } as unknown as JobContext);
  const msg = 'call of a workflow failed; trying again';
  const retryInSeconds = expect.any(Number);
  const line = { subAccountId: sub, runId, step: '1', attempt: 1, reason: '503', retryInSeconds };
  expect(lines).toEqual([{ ...line, msg }]);
  await sink.close();
});

/** A run whose job is run by hand, with a context that may be broken. */
async function runByHand() {
  const service = await startDelivering({});
  const sub = await service.subAccount();
  await applyTo(service, sub, workflowOf([{ wait: { for: '1h' } }, { end: true }]));
  const [runId = ''] = await begin(service, sub, [null]);
  const advance = (attempt: number, over: object = {}) =>
    handleAdvanceRun.handle({ subAccountId: sub, runId }, {
      ...service,
      actor: OPERATOR,
      attempt,
      signal: new AbortController().signal,
      ...over,
    } as unknown as JobContext);
  return { service, sub, runId, advance };
}

test('a mistake in the program fails the run at its third attempt, with the reason in the log', async () => {
  const { service, sub, runId, advance } = await runByHand();
  await service.database.rows(`update workflow_versions set steps = '[{"wait": {"until": 5}}]'`);
  for (const attempt of [1, 2]) {
    await expect(advance(attempt)).rejects.toBeInstanceOf(TypeError);
  }
  expect((await runThatIs(service, sub, 'running')).error).toBeNull();
  await advance(3);
  expect((await runThatIs(service, sub, 'failed')).error).toMatch(/\S/);
  expect(taken(await logOf(service, sub, runId))).toEqual(['/0 wait failed']);
});

test('a run that cannot be read ends as failed after the last attempt', async () => {
  const { service, sub, advance } = await runByHand();
  let calls = 0;
  const transact: JobContext['transact'] = async (...given) => {
    calls += 1;
    if (calls === 1) {
      throw new Error('broken');
    }
    return service.transact(...given);
  };
  await expect(advance(LAST_ATTEMPT - 1, { transact })).rejects.toThrow('broken');
  calls = 0;
  await advance(LAST_ATTEMPT, { transact });
  expect((await runThatIs(service, sub, 'failed')).error).toBe('broken');
});

test('an interruption by the database fails no run, whatever the attempt', async () => {
  const { service, sub, advance } = await runByHand();
  const transact = () => Promise.reject(Object.assign(new Error('away'), { code: '57P01' }));
  await expect(advance(LAST_ATTEMPT + 1, { transact })).rejects.toThrow('away');
  await runThatIs(service, sub, 'running');
});

test('a call that finds no connection is no attempt: it is made later', async () => {
  const service = await startDelivering({});
  const sub = await service.subAccount();
  const { sink, free } = await useConnections(service.tools.outbound, sub);
  await applyTo(service, sub, workflowOf([{ http: { url: sink.url } }]));
  const [runId = ''] = await begin(service, sub, [null]);
  const advance = () =>
    handleAdvanceRun.handle({ subAccountId: sub, runId }, {
      ...service,
      actor: OPERATOR,
      attempt: 1,
      signal: new AbortController().signal,
      settings: { sendRetries: [], webhookTimeout: 50 },
    } as unknown as JobContext);
  await advance();
  const run = 'select status, attempts, error from workflow_runs where id = $1';
  expect(await service.database.rows(run, [runId])).toEqual([
    { status: 'waiting', attempts: 0, error: null },
  ]);
  expect(await logOf(service, sub, runId)).toEqual([]);
  await free();
  await service.database.rows('update workflow_runs set due_at = now()');
  await advance();
  expect(taken(await logOf(service, sub, runId))).toEqual(['/0 http done']);
});
