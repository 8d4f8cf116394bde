/* oxlint-disable unicorn/no-thenable -- contract 8 names a branch of a step `then` */
import { pattern } from '#core/schema/describe-error.ts';
import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { key } from '#core/section.ts';
import { CHANNELS } from '../../contacts/channels.ts';
import { TASK_PRIORITIES } from '../../tasks/task.schema.ts';

export const STEPS_MAX = 200;
const TEXT_MAX = 20_000;
const URL_MAX = 2_000;
const EVENT_MAX = 100;

/** Without live chat: only a visitor can open a chat. */
const OUTBOUND_CHANNELS = CHANNELS.filter((one) => one !== 'live_chat');

const scalar = (options: object = {}) =>
  Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], ...options });
const text = (options: object = {}) =>
  Type.String({ minLength: 1, maxLength: TEXT_MAX, ...options });
const duration = (options: object = {}) =>
  Type.String({
    ...pattern(
      '^[1-9]\\d{0,6}[smhd]$',
      'must be a duration: a number with s, m, h or d, for example 30m or 2d',
    ),
    examples: ['2d'],
    ...options,
  });

/** An event of the catalog, or any name that calls of `/webhooks/event/{slug}` use. */
const eventType = s.shortText({ maxLength: EVENT_MAX });

/** The field of a condition that tests the outcome of the run's last goal. */
export const GOAL = 'goal';
export const GOAL_OUTCOMES = ['met', 'timed_out'] as const;
export type GoalOutcome = (typeof GOAL_OUTCOMES)[number];

const condition = s.request({
  field: s.shortText({
    description:
      'A field of the contact, `customFields.NAME`, `data.NAME` of the event or call that started the run, or `goal`: the outcome of the last goal, `met` or `timed_out`.',
  }),
  equals: Type.Optional(scalar()),
  not: Type.Optional(scalar()),
  in: Type.Optional(Type.Array(scalar(), { minItems: 1 })),
  contains: Type.Optional(scalar()),
  exists: Type.Optional(Type.Boolean()),
});
export type Condition = Static<typeof condition>;

const stageOf = { pipeline: key(), stage: key() };

/** The actions of a step; a step has exactly one. */
const ACTIONS = {
  send: s.request({
    channel: s.oneOf(OUTBOUND_CHANNELS),
    subject: Type.Optional(s.shortText({ maxLength: 998 })),
    body: text(),
  }),
  wait: s.request({
    for: Type.Optional(duration()),
    until: Type.Optional(
      Type.String({
        ...pattern(
          '^(?:(?:(?:mon|tue|wed|thu|fri|sat|sun) )?(?:[01]\\d|2[0-3]):[0-5]\\d|\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d)$',
          'must be a time of day, a weekday with a time, or a local time, for example 09:00, mon 09:00 or 2026-12-24T09:00',
        ),
        description: "In the contact's time zone: `09:00`, `mon 09:00` or `2026-12-24T09:00`.",
      }),
    ),
  }),
  goal: s.request({ event: eventType, timeout: Type.Optional(duration()) }),
  if: condition,
  addTag: s.shortText({ maxLength: 100 }),
  removeTag: s.shortText({ maxLength: 100 }),
  setField: s.request({ field: s.shortText(), value: s.nullable(scalar()) }),
  assign: key({ description: 'The key of a team member.' }),
  createTask: s.request({
    title: s.shortText({ maxLength: 500 }),
    description: Type.Optional(text()),
    priority: Type.Optional(s.oneOf(TASK_PRIORITIES)),
    dueIn: Type.Optional(duration()),
    assign: Type.Optional(key()),
  }),
  createOpportunity: s.request({
    pipeline: key(),
    stage: Type.Optional(key()),
    name: s.shortText(),
    value: Type.Optional(Type.Number({ minimum: -1e13, maximum: 1e13 })),
  }),
  moveStage: s.request(stageOf),
  http: s.request({
    method: Type.Optional(s.oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { default: 'POST' })),
    url: Type.String({
      ...pattern('^https?://[^\\s]+$', 'must be a URL that starts with https:// or http://'),
      maxLength: URL_MAX,
    }),
    body: Type.Optional(Type.Unknown()),
    headers: Type.Optional(
      // Null appears in manifests only, to remove a stored header.
      Type.Unsafe<Readonly<Record<string, string>>>({
        type: 'object',
        maxProperties: 50,
        propertyNames: pattern(
          "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
          'must be the name of an HTTP header, without blanks and colons',
        ),
        additionalProperties: {
          type: ['string', 'null'],
          maxLength: URL_MAX,
          description: 'A secret. Leave it out to keep the stored value; null removes it.',
        },
      }),
    ),
  }),
  notify: s.request({ subject: s.shortText(), body: text() }),
  end: Type.Literal(true),
};

export const ACTION_NAMES = Object.keys(ACTIONS) as readonly (keyof typeof ACTIONS)[];
export type Action = keyof typeof ACTIONS;

type Actions = { readonly [K in Action]?: Static<(typeof ACTIONS)[K]> };

export interface Step extends Actions {
  readonly then?: readonly Step[];
  readonly else?: readonly Step[];
}

const STEPS_ID = 'urn:frontdesk:workflow-steps';
const nested = Type.Optional(Type.Unsafe<readonly Step[]>({ $ref: STEPS_ID }));

/** The schema has an id, since steps contain steps. */
export const stepList = Type.Unsafe<readonly Step[]>({
  $id: STEPS_ID,
  type: 'array',
  maxItems: STEPS_MAX,
  items: s.request({ ...s.partial(ACTIONS), then: nested, else: nested }),
});

export const where = Type.Unsafe<Readonly<Record<string, Scalar | readonly Scalar[]>>>({
  type: 'object',
  maxProperties: 20,
  additionalProperties: {
    anyOf: [scalar(), Type.Array(scalar(), { minItems: 1, maxItems: 100 })],
  },
});
type Scalar = string | number | boolean;
export type Where = Static<typeof where>;

export const INBOUND = 'inbound_webhook';

export interface Trigger {
  readonly on: string;
  readonly where?: Where;
  readonly createContact?: boolean;
}

/** The triggers of events up to a position; null until `updateListeners`, which knows it. */
export interface FormerTriggers {
  readonly until: number | null;
  readonly triggers: readonly Trigger[];
}

/** A workflow as the manifest describes it. */
export interface WorkflowEntry {
  readonly slug: string;
  readonly name: string;
  readonly active: boolean;
  readonly reenter: boolean;
  readonly createContact: boolean;
  readonly triggers: readonly Trigger[];
  readonly steps: readonly Step[];
}

const freeData = Type.Optional(s.nullable(Type.Record(Type.String(), Type.Unknown())));

/** Body of `/webhooks/workflow/{slug}` (spec "Workflow triggers"). Null means absent. */
export const triggerBody = s.request({
  contactId: Type.Optional(s.nullable(s.uuid())),
  email: Type.Optional(s.nullable(s.email())),
  customData: freeData,
});
export type TriggerBody = Static<typeof triggerBody>;

/** Body of `/webhooks/event/{slug}`. */
export const eventBody = s.request({
  eventType,
  contactId: Type.Optional(s.nullable(s.uuid())),
  data: freeData,
});
export type EventBody = Static<typeof eventBody>;

export const RUN_STATUSES = ['running', 'waiting', 'completed', 'cancelled', 'failed'] as const;
