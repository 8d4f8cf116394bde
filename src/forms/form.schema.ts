import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { fileName } from '../files/file.schema.ts';
import { FIELD_TYPES } from './form-entry.ts';

const ID_MAX = 100;
const FIELD_MAX = 100;
const URL_MAX = 2_000;
const TOKEN_MAX = 4_000;

/** Not `uuid`: a malformed id must be 404, not 400. */
const formId = Type.String({ minLength: 1, maxLength: ID_MAX });

export const formQuery = s.request({ formId });

/** The query of an upload. */
export const formFileQuery = s.request({
  formId,
  field: Type.String({
    minLength: 1,
    maxLength: FIELD_MAX,
    description: 'name of a field of the type `file`',
    examples: ['photo'],
  }),
  name: fileName,
});

export const formFileSchema = s.response({
  token: Type.String({ description: 'the value to submit for the field' }),
  name: Type.String(),
  type: Type.String({ description: 'the content type', examples: ['image/png'] }),
  size: Type.Integer({ description: 'bytes' }),
});

export const challengeQuery = s.request({
  formId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: ID_MAX,
      description: 'the form that the challenge is for; default: any form',
    }),
  ),
});

export const formSubmit = s.request({
  formId,
  fields: Type.Record(Type.String(), Type.Unknown(), {
    description: 'values by field name; `website` must stay empty',
    examples: [{ email: 'ada@example.com', note: 'Please call after five.' }],
  }),
  pageUrl: Type.Optional(
    s.nullable(
      Type.String({
        format: 'uri',
        maxLength: URL_MAX,
        description: 'URL of the page that contains the form',
      }),
    ),
  ),
  captchaToken: Type.Optional(
    s.nullable(
      Type.String({
        maxLength: TOKEN_MAX,
        description: 'the solved challenge in base64; required if `captcha` is true',
      }),
    ),
  ),
});
export type FormSubmit = Static<typeof formSubmit>;

export const formConfig = s.response({
  formId: s.uuid(),
  subAccountId: s.uuid(),
  brand: Type.String(),
  name: Type.String(),
  captcha: Type.Boolean({ description: 'whether a submission needs a solved challenge' }),
  honeypot: Type.String({
    description: 'name of a field to hide from people; submissions that fill it in are dropped',
  }),
  pageUrl: Type.String({ description: 'URL of the form as a hosted page' }),
  fields: Type.Array(
    s.response({
      name: Type.String(),
      label: Type.String(),
      type: s.oneOf(FIELD_TYPES),
      required: Type.Boolean(),
      options: s.nullable(Type.Array(Type.String(), { description: 'options of a select' })),
      step: Type.Optional(Type.String({ description: 'heading of the step that begins here' })),
      accept: Type.Optional(
        Type.Array(Type.String(), {
          description: 'of a file: content types and extensions, as an input accepts them',
          examples: [['application/pdf', '.pdf']],
        }),
      ),
      maxBytes: Type.Optional(Type.Integer({ description: 'of a file: its largest size' })),
      showIf: Type.Optional(s.response({ field: Type.String(), equals: Type.String() })),
    }),
  ),
});

export const submissionSchema = s.response({
  submissionId: s.uuid(),
  message: s.nullable(Type.String({ description: 'text to show to the visitor' })),
  redirectUrl: s.nullable(
    Type.String({ description: "URL to send the visitor to; always from the form's definition" }),
  ),
});
export type Submitted = Static<typeof submissionSchema>;

/** A challenge of `altcha-lib`, version 2. */
export const challengeSchema = s.response({
  parameters: s.response({
    algorithm: Type.String({ examples: ['PBKDF2/SHA-256'] }),
    cost: Type.Integer(),
    keyLength: Type.Integer(),
    keyPrefix: Type.String({ description: 'hex; the derived key must begin with it' }),
    nonce: Type.String(),
    salt: Type.String(),
    keySignature: Type.String(),
    expiresAt: Type.Integer({ description: 'epoch seconds' }),
    data: Type.Optional(
      s.response({ formId: s.uuid({ description: 'the form that the challenge is for' }) }),
    ),
  }),
  signature: Type.String(),
});
