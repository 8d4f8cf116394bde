import { memberRole } from '#core/endpoint/console-endpoint.ts';
import { notFound } from '#core/fault.ts';
import { findRunLog, findRuns } from '../../workflows/runs/find-runs.ts';
import { momentIn, type Moment } from './moment.ts';
import { because, happened, type Reason, type WhyKind } from './why.ts';

const NOT_DONE = new Set(['skipped', 'failed', 'timed_out']);

/** The steps of a run that were skipped or failed, and what it waits for. */
export const whyStep: WhyKind = {
  kind: 'step',
  summary: 'a step of a workflow run that was skipped, failed or has not happened',
  access: memberRole('admin'),
  needs: [['id']],
  async explain(view, { id }) {
    const [run] = await findRuns(view, { id, limit: 1 });
    if (!run) {
      throw notFound('run');
    }
    const record = { type: 'run', id };
    const log = await findRunLog(view, id);
    const steps = log
      .filter(({ outcome }) => NOT_DONE.has(outcome))
      .map(({ place, step, outcome, detail, at }): Reason => {
        const words = outcome.replace('_', ' ');
        const sentence = `Step ${place} (${step}) ${words}: ${detail ?? 'no detail was recorded'}.`;
        return { rule: `step_${outcome}`, sentence, record, at };
      });
    const rest = ending(run, record, await momentIn(view));
    return rest || steps.length > 0
      ? because(...steps, ...(rest ? [rest] : []))
      : happened({
          rule: run.status,
          sentence: 'Every step was taken.',
          record,
          at: run.finishedAt,
        });
  },
};

type Run = Awaited<ReturnType<typeof findRuns>>[number];

/** Returns why the steps that are left have not happened. */
function ending(run: Run, record: Reason['record'], moment: Moment): Reason | undefined {
  const { status, error, dueAt, waitingFor, place, finishedAt } = run;
  if (status === 'waiting' || status === 'running') {
    const until = dueAt === null ? '' : ` until ${moment(dueAt)}`;
    const what = waitingFor === null ? '' : ` for ${waitingFor}`;
    const sentence = `The run waits at step ${place}${what}${until}.`;
    return { rule: 'waiting', sentence, record, at: dueAt };
  }
  return error === null
    ? undefined
    : { rule: status, sentence: `The run is ${status}: ${error}.`, record, at: finishedAt };
}
