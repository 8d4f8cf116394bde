import { parseDuration } from '#lib/duration.ts';
import { isTrue } from '../definition/conditions.ts';
import {
  actionOf,
  FIRST,
  placeAfter,
  placeInto,
  stepAt,
  type Place,
} from '../definition/places.ts';
import { waitUntil } from './wait-until.ts';
import type { GoalOutcome, Step } from '../definition/workflow.schema.ts';
import { notFound } from '#core/fault.ts';
import { jsonText } from '#core/schema/json.ts';
import type { View } from '#core/work.ts';
import { findSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { readContact } from '../../contacts/contact.store.ts';
import type { WorkflowRow } from '../definition/find-workflows.ts';

/** Returns the steps that a run would take for a contact. Throws NOT_FOUND. */
export async function dryRunForContact(
  view: View,
  { steps }: WorkflowRow,
  contactId: string,
): Promise<DryRunStep[]> {
  const owner = await findSubAccount(view, view.subAccountId);
  if (!owner) {
    throw notFound('sub-account');
  }
  const contact = JSON.parse(jsonText(await readContact(view, contactId))) as object;
  const { timezone } = owner;
  return dryRunWorkflow({ steps, contact, data: {}, timezone, now: view.now });
}

interface DryRunInput {
  readonly steps: readonly Step[];
  /** The current contact. Changes by steps are not simulated. */
  readonly contact: { readonly timezone?: string | null | undefined };
  readonly data: object;
  readonly timezone: string;
  readonly now: Date;
}

export interface DryRunStep {
  readonly place: Place;
  readonly step: string;
  /** The time of the step if every goal times out. */
  readonly at: string;
  readonly says: string;
}

/** Returns the steps that a run would take, without taking them. */
function dryRunWorkflow({ steps, contact, data, timezone, now }: DryRunInput): DryRunStep[] {
  const taken: DryRunStep[] = [];
  let time = now;
  let place: Place | undefined = FIRST;
  let goal: GoalOutcome | undefined;
  while (place !== undefined) {
    const step = stepAt(steps, place);
    if (!step) {
      break;
    }
    const action = actionOf(step);
    const at = time.toISOString();
    let says = action === 'end' ? '' : describe(step);
    if (step.wait) {
      const { for: duration, until } = step.wait;
      time =
        until === undefined
          ? later(time, duration)
          : waitUntil(until, contact.timezone ?? timezone, time);
      says = `until ${time.toISOString()}`;
    }
    time = later(time, step.goal?.timeout);
    goal = step.goal ? 'timed_out' : goal;
    const branch = step.if && (isTrue(step.if, { contact, data, goal }) ? 'then' : 'else');
    taken.push({ place, step: action, at, says: branch ? `${says}: ${branch}` : says });
    if (action === 'end') {
      break;
    }
    place = branch ? placeInto(steps, place, branch) : placeAfter(steps, place);
  }
  return taken;
}

const later = (time: Date, duration: string | undefined): Date =>
  new Date(time.getTime() + (parseDuration(duration ?? '') ?? 0));

/** Leaves out headers of calls, which may be secret. */
function describe(step: Step): string {
  const { http } = step;
  const details = http ? `${http.method ?? 'POST'} ${http.url}` : step[actionOf(step)];
  return typeof details === 'string' ? details : JSON.stringify(details);
}
