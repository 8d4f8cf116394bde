import { Type, type Static } from 'typebox';
import { invalidField } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';

export const SUBSCRIPTION_STATUSES = ['active', 'disabled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Subscribes to every event, including those of later releases. */
export const ALL_EVENTS = '*';

/** Whether a stored list of names selects all events. */
export const selectsAll = (events: readonly string[]): boolean => events.includes(ALL_EVENTS);

/** Throws if a list has names beside `*`: they would suggest a choice that has no effect. */
export function refuseMixedEvents(events: readonly string[] | undefined): void {
  if (events !== undefined && events.length > 1 && selectsAll(events)) {
    const names = events.filter((name) => name !== ALL_EVENTS).join(', ');
    throw invalidField(
      '/events',
      `has both "${ALL_EVENTS}" (all events) and ${names}; send ["${ALL_EVENTS}"] alone, or names without it`,
    );
  }
}

const URL_MAX = 2_048;
const DESCRIPTION_MAX = 500;
const GRACE_MAX_S = 7 * 24 * 3_600;

/** Returns the schemas of request bodies. `eventNames` are the events to choose from. */
export function subscriptionBodies(eventNames: readonly string[]) {
  const fields = {
    url: Type.String({
      format: 'uri',
      maxLength: URL_MAX,
      description:
        'an https URL; private and reserved addresses are refused. http is accepted if every address of the host is in FRONTDESK_OUTBOUND_ALLOW',
    }),
    events: Type.Array(s.oneOf([...eventNames, ALL_EVENTS]), {
      minItems: 1,
      maxItems: eventNames.length,
      uniqueItems: true,
      description: 'names of events, or `["*"]` for all, including those of later releases',
    }),
    description: s.nullable(Type.String({ maxLength: DESCRIPTION_MAX })),
  };
  return {
    create: s.request({ ...s.partial(fields), url: fields.url, events: fields.events }),
    patch: s.request(s.partial({ ...fields, status: s.oneOf(SUBSCRIPTION_STATUSES) })),
  };
}

type Bodies = ReturnType<typeof subscriptionBodies>;
export type SubscriptionCreate = Static<Bodies['create']>;
export type SubscriptionPatch = Static<Bodies['patch']>;

export const regenerateBody = s.request({
  gracePeriodSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: GRACE_MAX_S,
      default: 0,
      description: 'how long deliveries are also signed with the previous secret',
    }),
  ),
});

const time = s.nullable(s.isoTime());

/** The subscription as every endpoint returns it (contract 6). */
export const subscriptionSchema = s.response({
  id: s.uuid(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description: s.nullable(Type.String()),
  status: s.oneOf(SUBSCRIPTION_STATUSES),
  disabledReason: s.nullable(Type.String()),
  lastDeliveryAt: time,
  lastSuccessAt: time,
  consecutiveFailures: Type.Integer(),
  createdAt: s.isoTime(),
  updatedAt: s.isoTime(),
});

/** The whole secret. The response to an idempotent repeat leaves it out. */
export const shownOnce = {
  secret: Type.Optional(Type.String({ description: 'the signing secret; not returned again' })),
};
