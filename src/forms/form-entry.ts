import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { key } from '#core/section.ts';
import { FILE_KINDS, type FileKind } from '../files/file-type.ts';

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
  'file',
] as const;

/** What a file field accepts unless its form says otherwise, in MiB. */
export const FILE_DEFAULT_MB = 10;
/** The largest value of `maxMb`; FRONTDESK_FILES_MAX_MB may be lower. */
const FILE_MAX_MB = 50;

const FIELDS_MAX = 50;
const OPTIONS_MAX = 200;
const TEXT_MAX = 2_000;
const URL_MAX = 2_000;
const TARGET_MAX = 100;

const field = s.request({
  name: key({ description: 'Name of the value in submissions, events and API calls.' }),
  label: s.shortText({ description: 'Label that visitors see.' }),
  type: s.oneOf(FIELD_TYPES),
  required: Type.Optional(Type.Boolean({ default: false })),
  options: Type.Optional(
    Type.Array(s.shortText(), {
      minItems: 1,
      maxItems: OPTIONS_MAX,
      uniqueItems: true,
      description: 'Options of a select.',
    }),
  ),
  step: Type.Optional(
    s.shortText({ description: 'Heading of the step that begins with this field.' }),
  ),
  showIf: Type.Optional(
    s.request({
      field: key({ description: 'An earlier select or checkbox of the form.' }),
      equals: s.shortText({
        description: 'The option with which the field is shown; for a checkbox, true or false.',
      }),
    }),
  ),
  accept: Type.Optional(
    Type.Array(s.oneOf(FILE_KINDS), {
      minItems: 1,
      uniqueItems: true,
      description: 'Kinds of files that a file field accepts; all of them unless given.',
    }),
  ),
  maxMb: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FILE_MAX_MB,
      description: `Largest file that a file field accepts, in MiB; ${FILE_DEFAULT_MB} unless given, and at most FRONTDESK_FILES_MAX_MB.`,
    }),
  ),
  mapsTo: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: TARGET_MAX,
      description:
        'Field of the contact that the value is written to; customFields.NAME for a custom field.',
    }),
  ),
});

/** A form in a manifest. */
export const formEntry = s.request({
  key: key(),
  name: s.shortText({ description: 'Heading of the form.' }),
  captcha: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether each submission needs a proof of work.' }),
  ),
  message: Type.Optional(
    s.shortText({
      maxLength: TEXT_MAX,
      description: 'Text that visitors see after sending the form.',
    }),
  ),
  redirectUrl: Type.Optional(
    Type.String({
      format: 'uri',
      maxLength: URL_MAX,
      description:
        'Page that visitors are sent to after sending the form. Visitors cannot change it.',
    }),
  ),
  fields: Type.Array(field, { minItems: 1, maxItems: FIELDS_MAX }),
});

export type FormEntry = Static<typeof formEntry>;
type FieldEntry = Static<typeof field>;

/** The condition of a field. */
interface ShowIf {
  readonly field: string;
  readonly equals: string;
}

/** A field with its defaults filled in. */
export interface FormField extends Pick<FieldEntry, 'name' | 'label' | 'type'> {
  readonly required: boolean;
  readonly options: readonly string[] | null;
  /** The heading of the step that begins here. Forms from before steps were added have none. */
  readonly step?: string | null;
  /** The field is asked for only with this value of an earlier field. */
  readonly showIf?: ShowIf | null;
  /** Of file fields. */
  readonly accept?: readonly FileKind[] | null;
  readonly maxMb?: number | null;
  readonly mapsTo: string | null;
}
