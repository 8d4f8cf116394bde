import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';

export const OPPORTUNITY_STATUSES = ['open', 'won', 'lost', 'abandoned'] as const;

/** A double holds amounts of this size to the cent. */
const VALUE_MAX = 10_000_000_000_000;
const TAGS_MAX = 200;
const TAG_MAX = 100;
const REASON_MAX = 1_000;
export const FREE_FIELDS_MAX = 100;
const FREE_KEY_MAX = 100;
const FREE_TEXT_MAX = 5_000;

const SCALARS = ['string', 'number', 'boolean'] as const;
const freeFields = Type.Record(Type.String(), Type.Unsafe<Scalar>({ type: SCALARS }));
type Scalar = string | number | boolean;

/** Any key is allowed; null removes it. */
const freeFieldsInput = Type.Unsafe<Readonly<Record<string, Scalar | null>>>({
  type: 'object',
  maxProperties: FREE_FIELDS_MAX,
  propertyNames: { minLength: 1, maxLength: FREE_KEY_MAX },
  additionalProperties: { type: [...SCALARS, 'null'], maxLength: FREE_TEXT_MAX },
});

const writable = {
  contactId: s.uuid(),
  name: s.shortText(),
  value: s.nullable(Type.Number({ minimum: -VALUE_MAX, maximum: VALUE_MAX })),
  currency: s.currency(),
  assignedTo: s.nullable(s.uuid()),
  tags: Type.Array(s.shortText({ maxLength: TAG_MAX }), { maxItems: TAGS_MAX }),
  source: s.nullable(s.shortText()),
  expectedCloseDate: s.nullable(s.instant()),
  customFields: s.nullable(freeFieldsInput),
};

export const WRITABLE_FIELDS = Object.keys(writable) as readonly (keyof typeof writable)[];

export const opportunityCreate = s.request({
  ...s.partial(writable),
  pipelineId: s.uuid(),
  stageId: Type.Optional(s.uuid({ description: "default: the pipeline's first stage" })),
  contactId: writable.contactId,
  name: writable.name,
});
export type OpportunityCreate = Static<typeof opportunityCreate>;

/** A field that has its own endpoint, which the refusal names. */
const hasOwnEndpoint = (description: string) => Type.Optional(Type.Unsafe<never>({ description }));

const elsewhere = {
  status: hasOwnEndpoint('is set by PUT /api/v1/opportunities/{id}/status'),
  lostReason: hasOwnEndpoint('is set by PUT /api/v1/opportunities/{id}/status'),
  stageId: hasOwnEndpoint('is set by PUT /api/v1/opportunities/{id}/stage'),
  pipelineId: hasOwnEndpoint(
    'cannot be changed; create another opportunity with POST /api/v1/opportunities',
  ),
};

export const ELSEWHERE = Object.entries(elsewhere).map(
  ([name, schema]) => [name, (schema as { description?: string }).description ?? ''] as const,
);

export const opportunityPatch = s.request({ ...s.partial(writable), ...elsewhere });
export type OpportunityPatch = Omit<Static<typeof opportunityPatch>, keyof typeof elsewhere>;

const status = s.oneOf(OPPORTUNITY_STATUSES);
const lostReason = s.nullable(s.shortText({ maxLength: REASON_MAX }));

export const stageChange = s.request({ stageId: s.uuid() });

export const statusChange = s.request({ status, lostReason: Type.Optional(lostReason) });
export type StatusChange = Static<typeof statusChange>;

/** The opportunity as every endpoint shows it (spec "Opportunity"; the last two are additive). */
export const opportunitySchema = s.response({
  id: s.uuid(),
  pipelineId: s.uuid(),
  stageId: s.uuid(),
  contactId: s.uuid(),
  name: Type.String(),
  value: s.nullable(Type.Number()),
  currency: Type.String(),
  status,
  assignedTo: s.nullable(s.uuid()),
  tags: Type.Array(Type.String()),
  source: s.nullable(Type.String()),
  expectedCloseDate: s.nullable(s.epochMs()),
  lostReason: s.nullable(Type.String()),
  customFields: freeFields,
  closedAt: s.nullable(s.epochMs()),
  createdAt: s.isoTime(),
  updatedAt: s.isoTime(),
});
