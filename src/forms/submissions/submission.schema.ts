import { Type } from 'typebox';
import { pageQuery } from '#core/endpoint/paging.ts';
import * as s from '#core/schema/schema.ts';
import { fileSchema } from '../../files/file.schema.ts';

/** A submission as every keyed endpoint shows it. */
export const submissionRecordSchema = s.response({
  id: s.uuid(),
  formId: s.uuid(),
  form: Type.String({ description: "the form's key in the manifest", examples: ['contact'] }),
  formName: Type.String({ examples: ['Contact us'] }),
  contactId: s.nullable(
    s.uuid({ description: 'null if the form has neither a name nor an address' }),
  ),
  fields: Type.Record(Type.String(), Type.Unknown(), {
    description: 'the submitted values by field name, as in `form.submitted`',
    examples: [{ email: 'ada@example.com', note: 'Please call after five.' }],
  }),
  pageUrl: s.nullable(Type.String({ description: 'URL of the page that contains the form' })),
  createdAt: s.isoTime(),
  attachments: Type.Array(fileSchema, { description: 'the files of file fields' }),
});

export const submissionQuery = s.request({
  ...pageQuery,
  formId: Type.Optional(s.uuid()),
  contactId: Type.Optional(s.uuid()),
  createdAfter: Type.Optional(s.instant({ description: 'exclusive' })),
});
