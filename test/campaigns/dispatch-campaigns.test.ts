import { expect, test, vi } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { handleDispatchCampaigns } from '../../src/campaigns/dispatch-campaigns.ts';

test('a failure is logged and does not fail the job: the next tick tries again', async () => {
  const warn = vi.fn<(facts: object, message: string) => void>();
  const error = new Error('the database is away');
  const context = {
    openView: () => ({ rows: () => Promise.reject(error) }),
    clock: () => new Date(),
    log: { warn },
  } as unknown as JobContext;
  await expect(handleDispatchCampaigns.handle({}, context)).resolves.toBeUndefined();
  expect(warn).toHaveBeenCalledExactlyOnceWith({ err: error }, expect.any(String));
});
