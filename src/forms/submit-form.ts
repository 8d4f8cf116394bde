import { withRoomFor, isEmpty } from '../contacts/contact-change.ts';
import { Fault, invalid } from '#core/fault.ts';
import { insertInto } from '#core/schema/columns.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { normalised } from '../contacts/claim-addresses.ts';
import type { Contact } from '../contacts/contact.entity.ts';
import { ADDRESSES_MAX, WRITABLE_FIELDS, type ContactPatch } from '../contacts/contact.schema.ts';
import { lockContact } from '../contacts/contact.store.ts';
import { createMinimalContact } from '../contacts/create-minimal-contact.ts';
import { customFieldDefinitions } from '../contacts/fields/custom-field.ts';
import { valuesThatFit } from '../contacts/fields/limit-values.ts';
import { lockContactByEmail } from '../contacts/find-by-email.ts';
import { changeContact } from '../contacts/update-contact.ts';
import { consumeChallenge } from './challenge.ts';
import type { FormField } from './form-entry.ts';
import { attachToSubmission, resolveFiles } from './form-files.ts';
import { formSubmitted } from './form.events.ts';
import type { FormSubmit, Submitted } from './form.schema.ts';
import { theForm } from './form.store.ts';
import { isCaught, fieldIssue, readFields, type Values, mappedContact } from './read-fields.ts';
import { moveToKept } from '../contacts/merge/move-to-kept.ts';

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
  const sent = readFields(form.fields, fields);
  const definitions = await work.cached(customFieldDefinitions);
  const contactFields = mappedContact(form.fields, sent, definitions);
  if (captcha) {
    await consumeChallenge(work, secrets, { token: captchaToken, formId: id });
  }
  const { values, fileIds } = await resolveFiles(work, secrets, form, sent);
  const { contactId, tags } = await findSubmitter(work, contactFields);
  blameField(work, form.fields, values);
  const { subAccountId, now } = work;
  const row = [subAccountId, submissionId, id, contactId, JSON.stringify(values), pageUrl ?? null];
  work.write(INSERT, [...row, now]);
  work.mapConstraint('form_submissions_pkey', () => alreadySent());
  attachToSubmission(work, submissionId, fileIds);
  work.audit(submissionId);
  const data = { formId: id, submissionId, formName: name, fields: values };
  await work.emit(formSubmitted, { contactId, tags, data });
  return response;
}

const alreadySent = (): Fault =>
  new Fault('VALIDATION_ERROR', 'the form was already submitted; the first submission was stored', {
    reason: 'sent_already',
  });

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

interface Submitter {
  readonly contactId: string | null;
  readonly tags: readonly string[];
}

/**
 * Returns the contact of a submission: the one with the email, whose empty fields are filled in, or a
 * new one. `contactId` is null if the submission has neither a name nor an address.
 */
async function findSubmitter(work: Work, fields: ContactPatch): Promise<Submitter> {
  const known = fields.email && (await lockContactByEmail(work, fields.email, 'update'));
  if (known) {
    const contact = await lockContact(work, known.contactId);
    await changeContact(work, contact, patchFor(contact, fields));
    return { contactId: known.contactId, tags: contact.tags };
  }
  const hasIdentity = fields.email ?? fields.phone ?? fields.firstName ?? fields.lastName;
  return hasIdentity ? createSubmitter(work, fields) : { contactId: null, tags: [] };
}

/**
 * Returns the patch of a known contact. Visitors can type anyone's email, so a submission fills empty
 * fields and adds tags, but never changes values or addresses: with their own address on the contact,
 * visitors could impersonate it. Tags and custom values beyond the limit are left out, because the
 * visitor cannot fix that; the submission itself is stored in full.
 */
function patchFor(contact: Contact, fields: ContactPatch): ContactPatch {
  const { tags, customFields, dnd } = fields;
  const empty = WRITABLE_FIELDS.filter(
    (field) => Object.hasOwn(fields, field) && !ADDRESSES.has(field) && isEmpty(contact[field]),
  );
  return {
    ...Object.fromEntries(empty.map((field) => [field, fields[field]])),
    ...(tags && { tags: withRoomFor(contact.tags, tags) }),
    ...(customFields && {
      customFields: valuesThatFit(
        contact.customFields,
        missingMembers(contact.customFields, customFields),
      ),
    }),
    ...(dnd && { dnd: missingMembers(contact.dnd, dnd) }),
  };
}

const ADDRESSES: ReadonlySet<keyof ContactPatch> = new Set([
  'email',
  'phone',
  'additionalEmails',
  'additionalPhones',
]);

const missingMembers = (stored: object, added: object): Record<string, any> =>
  Object.fromEntries(Object.entries(added).filter(([name]) => !Object.hasOwn(stored, name)));

async function createSubmitter(work: Work, fields: ContactPatch): Promise<Submitter> {
  const { email, phone, additionalEmails = [], additionalPhones = [], tags = [] } = fields;
  const { customFields } = fields;
  return createMinimalContact(work, {
    source: 'form',
    address: email ?? phone,
    ...fields,
    tags: withRoomFor([], tags),
    additionalEmails: (await unclaimed(work, additionalEmails)).slice(0, ADDRESSES_MAX),
    additionalPhones: additionalPhones.slice(0, ADDRESSES_MAX),
    ...(customFields && { customFields: valuesThatFit({}, customFields) }),
  });
}

/** Leaves out emails of other contacts, silently: a refusal would reveal that they exist. */
async function unclaimed(work: Work, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) {
    return [];
  }
  const values = [work.subAccountId, emails.map(normalised)];
  const taken = await work.rows<{ email: string }>(TAKEN, values);
  return emails.filter((one) => !taken.some(({ email }) => email === normalised(one)));
}

const TAKEN = `select email from contact_emails
  where sub_account_id = $1 and email = any($2::text[])`;

/** Moves the submissions of a merged contact to the kept one. */
export const moveSubmissionsOfContact = moveToKept({ table: 'form_submissions', isDated: false });
