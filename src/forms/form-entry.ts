import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { key } from '#core/section.ts';

export const FIELD_TYPES = [
  'text',
  'textarea',
  'email',
  'phone',
  'number',
  'select',
  'checkbox',
  'date',
  'url',
] as const;

const FIELDS_MAX = 50;
const OPTIONS_MAX = 200;
const TEXT_MAX = 2_000;
const URL_MAX = 2_000;
const TARGET_MAX = 100;

const field = s.request({
  name: key({ description: 'What the value is called in submissions, events and calls.' }),
  label: s.shortText({ description: 'What a visitor reads.' }),
  type: s.oneOf(FIELD_TYPES),
  required: Type.Optional(Type.Boolean({ default: false })),
  options: Type.Optional(
    Type.Array(s.shortText(), {
      minItems: 1,
      maxItems: OPTIONS_MAX,
      uniqueItems: true,
      description: 'What can be chosen of a select.',
    }),
  ),
  mapsTo: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: TARGET_MAX,
      description:
        'The field of the contact that takes the value; customFields.NAME for custom ones.',
    }),
  ),
});

/** A form in a manifest. */
export const formEntry = s.request({
  key: key(),
  name: s.shortText({ description: 'Stands over the form.' }),
  captcha: Type.Optional(
    Type.Boolean({ default: false, description: 'Asks each visitor for a proof of work.' }),
  ),
  message: Type.Optional(
    s.shortText({ maxLength: TEXT_MAX, description: 'What a visitor reads when it is sent.' }),
  ),
  redirectUrl: Type.Optional(
    Type.String({
      format: 'uri',
      maxLength: URL_MAX,
      description: 'Where he goes then. Nothing that a visitor sends leads anywhere else.',
    }),
  ),
  fields: Type.Array(field, { minItems: 1, maxItems: FIELDS_MAX }),
});

export type FormEntry = Static<typeof formEntry>;
type FieldEntry = Static<typeof field>;

/** A field with its defaults filled in. */
export interface FormField extends Pick<FieldEntry, 'name' | 'label' | 'type'> {
  readonly required: boolean;
  readonly options: readonly string[] | null;
  readonly mapsTo: string | null;
}
