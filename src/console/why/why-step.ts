import { memberRole } from '#core/endpoint/console-endpoint.ts';
import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { numberOf } from '../../workflows/definition/places.ts';
import { findRunLog, findRuns } from '../../workflows/runs/find-runs.ts';
import type { WhyLanguage } from './language.ts';
import { momentIn } from './moment.ts';
import { because, happened, type Reason, type WhyKind } from './why.ts';

/** The steps of a run that were skipped or failed, and what it waits for. */
export const whyStep: WhyKind = {
  kind: 'step',
  summary: 'a step of a workflow run that was skipped, failed or has not happened',
  access: memberRole('admin'),
  needs: [['id']],
  async explain(view, { id }, language) {
    const [run] = await findRuns(view, { id, limit: 1 });
    if (!run) {
      throw notFound('run');
    }
    const texts = language.messages.step;
    const record = { type: 'run', id };
    const log = await findRunLog(view, id);
    const steps = log.flatMap(({ outcome, at, ...step }): Reason[] =>
      isNotDone(outcome)
        ? [{ rule: `step_${outcome}`, sentence: texts[outcome](numbered(step)), record, at }]
        : [],
    );
    const rest = await ending(view, run, language);
    return rest || steps.length > 0
      ? because(...steps, ...(rest ? [rest] : []))
      : happened({ rule: run.status, sentence: texts.allTaken, record, at: run.finishedAt });
  },
};

const numbered = <S extends { readonly place: string }>(step: S): S => ({
  ...step,
  place: numberOf(step.place),
});

const NOT_DONE = ['skipped', 'failed', 'timed_out'] as const;

const isNotDone = (outcome: string): outcome is (typeof NOT_DONE)[number] =>
  NOT_DONE.some((one) => one === outcome);

type Run = Awaited<ReturnType<typeof findRuns>>[number];

/** The error of a run that was cancelled: a person, a key or the command line. */
const CANCELLED_BY = /^cancelled by (.+)$/;

/** Returns why the steps that are left have not happened. */
async function ending(view: View, run: Run, language: WhyLanguage): Promise<Reason | undefined> {
  const { id, status, error, dueAt, waitingFor: event, finishedAt } = run;
  const { waits, fails, endedWith, cancelledBy } = language.messages.step;
  const record = { type: 'run', id };
  if (status === 'waiting' || status === 'running') {
    const moment = await momentIn(view, language);
    const until = dueAt === null ? null : moment(dueAt);
    const place = numberOf(run.place);
    const [row] = await view.rows<{ attempts: number }>(ATTEMPTS, [view.subAccountId, id]);
    const attempts = row?.attempts ?? 0;
    const sentence =
      attempts > 0 ? fails({ place, attempts, until }) : waits({ place, event, until });
    return { rule: 'waiting', sentence, record, at: dueAt };
  }
  if (error === null) {
    return undefined;
  }
  const [, name] = CANCELLED_BY.exec(error) ?? [];
  const sentence = name === undefined ? endedWith[status](error) : cancelledBy(name);
  return { rule: status, sentence, record, at: finishedAt };
}

/** The failed attempts of a call that the run makes again. */
const ATTEMPTS = 'select attempts from workflow_runs where sub_account_id = $1 and id = $2';
