import { didYouMean } from '#core/schema/did-you-mean.ts';
import { DAY_MS, parseDuration } from '#lib/duration.ts';
import { openFieldsInHost } from '#lib/merge-url.ts';
import type { EntryIssue } from '#core/section.ts';
import { isMail } from '../../conversations/threads/conversation.schema.ts';
import { BOT_FIELDS } from '../../contacts/contact.schema.ts';
import { everyStep } from './places.ts';
import { isLocalTime } from '../runs/wait-until.ts';
import {
  ACTION_NAMES,
  GOAL,
  GOAL_OUTCOMES,
  INBOUND,
  STEPS_MAX,
  type Step,
  type Trigger,
} from './workflow.schema.ts';

const LONGEST_MS = 3_650 * DAY_MS;
/** Headers that Frontdesk or the HTTP client sets. */
const OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the issues that the schema cannot express. Paths are relative to the entry. */
export function issuesIn(
  { triggers = [], steps = [] }: { triggers?: readonly Trigger[]; steps?: readonly Step[] },
  eventNames: readonly string[],
): readonly EntryIssue[] {
  const all = everyStep(steps);
  const stepIssues = all.flatMap(({ place, step }) =>
    issuesOfStep(step).map(({ path, message }) => ({ path: `/steps${place}${path}`, message })),
  );
  const tooMany = {
    path: '/steps',
    message: `has ${all.length} steps, nested ones included; at most ${STEPS_MAX} are allowed`,
  };
  return [
    ...triggers.flatMap((trigger, index) => issueOfTrigger(trigger, index, eventNames)),
    ...(all.length > STEPS_MAX ? [tooMany] : []),
    ...stepIssues,
  ];
}

function issueOfTrigger(
  { on, createContact }: Trigger,
  index: number,
  eventNames: readonly string[],
): readonly EntryIssue[] {
  if (on !== INBOUND && !eventNames.includes(on)) {
    const names = eventNames.join(', ');
    const similar = didYouMean(on, [INBOUND, ...eventNames]);
    const message = `must be ${INBOUND} or the name of an event: ${names}${similar}`;
    return [{ path: `/triggers/${index}/on`, message }];
  }
  return createContact === undefined || on === INBOUND
    ? []
    : [{ path: `/triggers/${index}/createContact`, message: `is only allowed for ${INBOUND}` }];
}

function issuesOfStep(step: Step): readonly EntryIssue[] {
  const actions = ACTION_NAMES.filter((name) => step[name] !== undefined);
  const [action] = actions;
  if (action === undefined || actions.length > 1) {
    const problem = actions.length === 0 ? 'has no action' : `has ${actions.join(' and ')}`;
    const message = `${problem}; a step has exactly one of ${ACTION_NAMES.join(', ')}`;
    return [{ path: '', message }];
  }
  return [...branchIssues(step), ...durationIssues(step), ...(ACTION_ISSUES[action]?.(step) ?? [])];
}

const branchIssues = (step: Step): readonly EntryIssue[] =>
  (['then', 'else'] as const)
    .filter((branch) => step[branch] && !step.if)
    .map((branch) => ({ path: `/${branch}`, message: 'is only allowed beside if' }));

function durationIssues({ wait, goal, createTask }: Step): readonly EntryIssue[] {
  const durations = {
    '/wait/for': wait?.for,
    '/goal/timeout': goal?.timeout,
    '/createTask/dueIn': createTask?.dueIn,
  };
  return Object.entries(durations)
    .filter(([, duration]) => duration && (parseDuration(duration) ?? Infinity) > LONGEST_MS)
    .map(([path]) => ({ path, message: 'must be at most 3650d (ten years)' }));
}

/** Returns an issue for each value that the outcome of a goal never has. */
const goalIssues = ({ field, ...operators }: NonNullable<Step['if']>): readonly EntryIssue[] =>
  field !== GOAL
    ? []
    : (['equals', 'not', 'in'] as const)
        .filter((name) => [operators[name] ?? []].flat().some((value) => !isGoalOutcome(value)))
        .map((name) => ({
          path: `/if/${name}`,
          message: `must be ${GOAL_OUTCOMES.join(' or ')}: the outcomes of a goal`,
        }));

const isGoalOutcome = (value: unknown): boolean => GOAL_OUTCOMES.some((one) => one === value);

const OPERATORS = ['equals', 'not', 'in', 'contains', 'exists'] as const;

const ACTION_ISSUES: Readonly<Record<string, (step: Step) => readonly EntryIssue[]>> = {
  if({ if: condition = { field: '' } }) {
    const operators = OPERATORS.filter((name) => condition[name] !== undefined);
    return operators.length === 1
      ? goalIssues(condition)
      : [{ path: '/if', message: `needs exactly one of ${OPERATORS.join(', ')}` }];
  },
  wait({ wait = {} }) {
    if ((wait.for === undefined) === (wait.until === undefined)) {
      return [{ path: '/wait', message: 'needs either for or until' }];
    }
    return wait.until === undefined || isLocalTime(wait.until)
      ? []
      : [{ path: '/wait/until', message: 'is not a date of the calendar' }];
  },
  send({ send }) {
    const isMailed = send !== undefined && isMail(send.channel);
    if (isMailed === (send?.subject !== undefined)) {
      return [];
    }
    return isMailed
      ? [{ path: '/send', message: 'needs a subject: it is an email' }]
      : [{ path: '/send/subject', message: 'is only allowed for email and gmail' }];
  },
  setField({ setField }) {
    const field = setField?.field ?? '';
    return field.startsWith(CUSTOM) || BOT_FIELDS.some((one) => one === field)
      ? []
      : [
          {
            path: '/setField/field',
            message: `must be customFields.NAME or ${BOT_FIELDS.join(', ')}`,
          },
        ];
  },
  http({ http }) {
    const { headers = {}, method, body, url = '' } = http ?? {};
    const own = Object.keys(headers).filter((name) => OWN_HEADERS.has(name.toLowerCase()));
    return [
      ...openFieldsInHost(url).map((field) => ({
        path: '/http/url',
        message: `has ${field} in its host, which would let a contact choose who gets the call; use a custom value, such as {{custom_values.host}}`,
      })),
      ...own.map((name) => ({
        path: `/http/headers/${name}`,
        message: 'is set by Frontdesk; remove it',
      })),
      ...(method === 'GET' && body !== undefined
        ? [{ path: '/http/body', message: 'is not allowed with GET' }]
        : []),
    ];
  },
};

/** The prefix of the names of custom fields. */
export const CUSTOM = 'customFields.';
