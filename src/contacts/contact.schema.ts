import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { CHANNELS } from './channels.ts';

export const LIFECYCLE_STAGES = ['lead', 'qualified', 'customer', 'repeat', 'inactive'] as const;

export const ADDRESSES_MAX = 20;
export const TAGS_MAX = 200;
const TAG_MAX = 100;

const NAME_MAX = 200;
const name = s.shortText({ maxLength: NAME_MAX });
/** May be empty: visitors and senders need not give one. */
const lastName = Type.String({ maxLength: NAME_MAX, format: 'not-only-blanks' });
const line = s.nullable(s.shortText());
const tag = s.shortText({ maxLength: TAG_MAX });

/** Values are checked against the sub-account's definitions, not here. */
const customFields = Type.Record(Type.String(), Type.Unknown());

const dnd = s.request(
  s.partial({
    all: s.nullable(Type.Boolean()),
    ...Object.fromEntries(CHANNELS.map((channel) => [channel, s.nullable(Type.Boolean())])),
  }),
);

/** Standard fields that a bot update may set (contract 5); all of them are text. */
const botWritable = {
  firstName: name,
  lastName,
  email: s.nullable(s.email()),
  phone: s.nullable(s.phone()),
  company: line,
  title: line,
  lifecycleStage: s.oneOf(LIFECYCLE_STAGES),
  addressLine1: line,
  city: line,
  state: line,
  postalCode: line,
  country: line,
  dateOfBirth: s.nullable(s.isoDate()),
  timezone: s.nullable(s.timeZone()),
};

/** Every field that a caller may write. */
const writable = {
  ...botWritable,
  source: line,
  assignedTo: s.nullable(s.uuid()),
  tags: Type.Array(tag, { maxItems: TAGS_MAX }),
  additionalEmails: Type.Array(s.email(), { maxItems: ADDRESSES_MAX }),
  additionalPhones: Type.Array(s.phone(), { maxItems: ADDRESSES_MAX }),
  customFields: s.nullable(customFields),
  dnd,
};

export const WRITABLE_FIELDS = Object.keys(writable) as readonly (keyof typeof writable)[];
export const BOT_FIELDS = Object.keys(botWritable) as readonly (keyof typeof botWritable)[];

export const contactPatch = s.request(s.partial(writable));
export type ContactPatch = Static<typeof contactPatch>;

export const contactCreate = s.request({
  ...s.partial(writable),
  firstName: name,
  lastName: name,
});
export type ContactCreate = Static<typeof contactCreate>;

/** The body of a create. Names are checked again once it is known that the contact is new. */
export const contactUpsert = s.request(s.partial({ ...writable, lastName: name }));
export type ContactUpsert = Static<typeof contactUpsert>;

const BOT_OPERATIONS = ['set_field', 'set_custom_field', 'add_tag', 'remove_tag'] as const;

export const botUpdate = s.request({
  operation: s.oneOf(BOT_OPERATIONS),
  field: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  value: Type.Optional(
    Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }),
  ),
});
export type BotUpdate = Static<typeof botUpdate>;

/** The contact as every endpoint shows it (spec "Contact"; `dnd` is additive). */
export const contactSchema = s.response({
  id: s.uuid(),
  ...writable,
  customFields,
  dnd: Type.Record(Type.String(), Type.Boolean()),
  engagementScore: s.nullable(Type.Integer({ minimum: 0, maximum: 100 })),
  createdAt: s.isoTime(),
  updatedAt: s.isoTime(),
});
