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
import { refuseLongText, type MergeValues } from '#lib/merge-fields.ts';
import { jsonText } from '#core/schema/json.ts';
import type { View } from '#core/work.ts';
import { customValuesOf, findSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { mergeValuesOf, readContact } from '../../contacts/contact.store.ts';
import type { Contact } from '../../contacts/contact.entity.ts';
import { checkNotify, checkSend, type Unsent } from '../steps/check-send.ts';
import { filledArguments } from './filled-arguments.ts';
import type { WorkflowRow } from '../definition/find-workflows.ts';

/** Returns the steps that a run would take for a contact. Throws NOT_FOUND, and VALIDATION_ERROR if they are too long together. */
export async function dryRunForContact(
  view: View,
  { steps }: WorkflowRow,
  contactId: string,
): Promise<DryRunStep[]> {
  const owner = await findSubAccount(view, view.subAccountId);
  if (!owner) {
    throw notFound('sub-account');
  }
  const contact = JSON.parse(jsonText(await readContact(view, contactId))) as Contact;
  const values = { ...mergeValuesOf(contact, await customValuesOf(view)), contactId };
  const { timezone } = owner;
  const taken = dryRunWorkflow({ steps, contact, data: {}, values, timezone, now: view.now });
  return withUnsent(view, contactId, { steps, taken });
}

interface DryRunSteps {
  readonly steps: readonly Step[];
  readonly taken: readonly TakenStep[];
}

/** Adds to each `send` and `notify` step why it would send nothing. */
async function withUnsent(
  view: View,
  contactId: string,
  { steps, taken }: DryRunSteps,
): Promise<DryRunStep[]> {
  const checked: DryRunStep[] = [];
  for (const step of taken) {
    const { send, notify } = stepAt(steps, step.place) ?? {};
    const unsent = send
      ? await checkSend(view, contactId, send.channel)
      : notify && (await checkNotify(view, contactId));
    checked.push(
      unsent
        ? { ...step, ...unsent, says: `${unsent.outcome}: ${unsent.detail}` }
        : { ...step, outcome: null, detail: null },
    );
  }
  return checked;
}

interface DryRunInput {
  readonly steps: readonly Step[];
  /** The current contact. Changes by steps are not simulated. */
  readonly contact: { readonly timezone?: string | null | undefined };
  readonly data: object;
  /** The merge fields of a run without data. */
  readonly values: MergeValues;
  readonly timezone: string;
  readonly now: Date;
}

interface TakenStep {
  readonly place: Place;
  readonly step: string;
  /** The time of the step if every goal times out. */
  readonly at: string;
  readonly says: string;
  /** The value of the step in the manifest, with its merge fields filled and without headers. */
  readonly arguments: unknown;
  /** The end of a wait, ISO 8601. */
  readonly until: string | null;
  /** Where a condition leads. */
  readonly branch: 'then' | 'else' | null;
}

interface DryRunStep extends TakenStep {
  /** Of a message that would not be sent. */
  readonly outcome: Unsent['outcome'] | null;
  /** Why it would not be sent, as in the log of a run. */
  readonly detail: string | null;
}

/** Returns the steps that a run would take, without taking them. */
function dryRunWorkflow(input: DryRunInput): TakenStep[] {
  const { steps, contact, data, values, timezone, now } = input;
  const taken: TakenStep[] = [];
  let time = now;
  let place: Place | undefined = FIRST;
  let goal: GoalOutcome | undefined;
  let length = 0;
  while (place !== undefined) {
    const step = stepAt(steps, place);
    if (!step) {
      break;
    }
    const action = actionOf(step);
    const at = time.toISOString();
    let says = action === 'end' ? '' : describe(step);
    let until: string | null = null;
    if (step.wait) {
      const { for: duration, until: named } = step.wait;
      time =
        named === undefined
          ? later(time, duration)
          : waitUntil(named, contact.timezone ?? timezone, time);
      until = time.toISOString();
      says = `until ${until}`;
    }
    time = later(time, step.goal?.timeout);
    goal = step.goal ? 'timed_out' : goal;
    const branch = step.if ? (isTrue(step.if, { contact, data, goal }) ? 'then' : 'else') : null;
    says = branch ? `${says}: ${branch}` : says;
    const filled = filledArguments(step, values);
    length += JSON.stringify(filled).length;
    refuseLongText(length);
    taken.push({ place, step: action, at, says, arguments: filled, until, branch });
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
