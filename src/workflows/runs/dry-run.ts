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
import type { Step } from '../definition/workflow.schema.ts';

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
export function dryRunWorkflow({ steps, contact, data, timezone, now }: DryRunInput): DryRunStep[] {
  const taken: DryRunStep[] = [];
  let time = now;
  let place: Place | undefined = FIRST;
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
    const branch = step.if && (isTrue(step.if, contact, data) ? 'then' : 'else');
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
