import { Type } from 'typebox';
import { webhookEvent } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';

const EXAMPLE = { email: 'ada@example.com', note: 'Please call after five.' };

export const formSubmitted = webhookEvent({
  name: 'form.submitted',
  summary: 'a public form was submitted',
  data: Type.Object({
    formId: s.uuid(),
    submissionId: s.uuid(),
    formName: Type.String({ examples: ['Contact us'] }),
    fields: Type.Record(Type.String(), Type.Unknown(), {
      description: "the submitted values by the form's field names",
      examples: [EXAMPLE],
    }),
  }),
});
