import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';

export const SUBSCRIPTION_STATUSES = ['active', 'disabled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

const URL_MAX = 2_048;
const DESCRIPTION_MAX = 500;
const GRACE_MAX_S = 7 * 24 * 3_600;

/** Returns the schemas of request bodies. `eventNames` are the events to choose from. */
export function subscriptionBodies(eventNames: readonly string[]) {
  const fields = {
    url: Type.String({
      format: 'uri',
      maxLength: URL_MAX,
      description: 'an https URL; private and reserved addresses are refused',
    }),
    events: Type.Array(s.oneOf(eventNames), {
      minItems: 1,
      maxItems: eventNames.length,
      uniqueItems: true,
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
