import { counted } from '#lib/counted.ts';
import { ok, warn, type Check } from './check.ts';

/** Checks for workflow runs that an unexpected error ended or keeps from their next step. */
export const workflows: Check = {
  name: 'workflows',
  async examine({ rows }) {
    const [found] = await rows<Runs>(FOUND);
    const { failed = 0, stuck = 0, latest = null } = found ?? {};
    const runs = (count: number) => counted(count, 'run');
    if (failed === 0 && stuck === 0) {
      return ok('no run failed in the last 24 hours');
    }
    const message = `${runs(failed)} failed in the last 24 hours, ${runs(stuck)} without progress for an hour`;
    return warn(
      latest === null ? message : `${message}; the latest error: ${latest}`,
      'list them: frontdesk admin workflow runs --status failed; search the log of the worker for "workflow step failed"',
    );
  },
};

interface Runs {
  readonly failed: number;
  readonly stuck: number;
  readonly latest: string | null;
}

const FOUND = `select failed.*, stuck.*
  from (
    select count(*)::int as failed, (array_agg(left(error, 200) order by finished_at desc))[1] as latest
    from workflow_runs
    where status = 'failed' and finished_at is not null and finished_at > now() - interval '1 day'
  ) as failed, (
    select count(*)::int as stuck from workflow_runs
    where status = 'running' and finished_at is null and updated_at < now() - interval '1 hour'
  ) as stuck`;
