import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { handleAdvanceRun } from '../../src/workflows/runs/advance-run.ts';
import { startDelivering } from '../support/deliveries.ts';
import { OPERATOR } from '../support/service.ts';
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
