import { insertInto } from '#core/schema/columns.ts';
import { invalid } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { customFieldDefinitions } from '../contacts/fields/custom-field.ts';
import { findSubmitter } from './find-submitter.ts';
import { formSubmitted } from './form.events.ts';
import type { FormSubmit, Submitted } from './form.schema.ts';
import { isCaught, fieldIssue, readFields, type Values } from './read-fields.ts';
import { mappedContact } from './mapped-contact.ts';
import type { FormField } from './form-entry.ts';
import { consumeChallenge } from './challenge.ts';
import { theForm } from './form.store.ts';

/**
 * Stores a submission and finds or creates its contact. A robot gets the same response and nothing is
 * stored. A second submission with the same `submissionId` is refused.
 */
export async function submitForm(
  work: Work,
  secrets: Secrets,
  { formId, fields, pageUrl, captchaToken }: FormSubmit,
  submissionId = newId(work.now),
): Promise<Submitted> {
  const form = await theForm(work, formId);
  const { id, name, message, redirectUrl, captcha } = form;
  const response = { submissionId, message, redirectUrl };
  if (isCaught(fields)) {
    return response;
  }
  const values = readFields(form.fields, fields);
  const definitions = await work.cached(customFieldDefinitions);
  const contactFields = mappedContact(form.fields, values, definitions);
  if (captcha) {
    await consumeChallenge(work, secrets, { token: captchaToken, formId: id });
  }
  const { contactId, tags } = await findSubmitter(work, contactFields);
  blameField(work, form.fields, values);
  const { subAccountId, now } = work;
  const row = [subAccountId, submissionId, id, contactId, JSON.stringify(values), pageUrl ?? null];
  work.write(INSERT, [...row, now]);
  work.mapConstraint('form_submissions_pkey', () => invalid([], { reason: 'sent_already' }));
  work.audit(submissionId);
  const data = { formId: id, submissionId, formName: name, fields: values };
  await work.emit(formSubmitted, { contactId, tags, data });
  return response;
}

/** Reports an unknown assignee at the field of the form that maps to it. */
function blameField(work: Work, fields: readonly FormField[], values: Values): void {
  const field = fields.findLast(
    ({ name, mapsTo }) => mapsTo === 'assignedTo' && values[name] !== undefined,
  );
  if (field) {
    refuseUnknownAssignee(work, 'contacts', (message) =>
      invalid([fieldIssue(field.name, message)]),
    );
  }
}

const INSERT = insertInto('form_submissions', [
  'subAccountId',
  'id',
  'formId',
  'contactId',
  'fields',
  'pageUrl',
  'createdAt',
]);
