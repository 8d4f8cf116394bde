import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole, memberScope } from '#core/endpoint/console-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { suppressAddress, unsuppressAddress } from '../../contacts/consent/suppressions.ts';
import { readContact } from '../../contacts/contact.store.ts';
import { bulkChangeBody, bulkChangeSchema, changers } from './bulk-change.schema.ts';
import { addressBody, assertAddressOf, consentSchema, findConsent } from './consent.ts';
import {
  columnsBody,
  createView,
  deleteView,
  findViews,
  readView,
  saveColumns,
  updateView,
  viewCreate,
  viewPatch,
  viewSchema,
} from './contact-views.ts';
import { mergePreviewSchema, previewMerge } from './preview-merge.ts';
import { phoneQuery, phoneReading, readPhone } from './read-phone.ts';
import { readBulkChange, startBulkChange, stopBulkChange } from './start-bulk-change.ts';

const VIEWS = '/console/api/v1/contact-views';
const CHANGES = '/console/api/v1/contact-changes';
const CONTACT = '/console/api/v1/contacts/:id';

const params = s.request({ id: s.uuid() });
const readers = memberScope('contacts:read');
const writers = memberScope('contacts:write');
const ofContact = {
  params,
  assertExists: (view: View, { id }: { readonly id: string }) => readContact(view, id),
};
/** Shared by the endpoints that suppress an address or remove its suppression. */
const consentChange = {
  rate: 'write' as const,
  ...ofContact,
  body: addressBody,
  data: consentSchema,
};

/** A user's views of the list of contacts. */
const viewEndpoints = [
  defineConsoleEndpoint({
    id: 'contacts.views',
    method: 'GET',
    path: VIEWS,
    summary: "List the user's saved views of contacts",
    description: 'By name. The one whose name is null has the columns of the list of all contacts.',
    access: readers,
    rate: 'read',
    data: Type.Array(viewSchema),
    read: async ({ view, caller: { user } }) => ({ data: await findViews(view, user.id) }),
  }),
  defineConsoleEndpoint({
    id: 'contacts.create-view',
    method: 'POST',
    path: VIEWS,
    summary: 'Save a filter and columns under a name',
    description: 'Only the user sees it.',
    access: readers,
    rate: 'write',
    status: 201,
    body: viewCreate,
    data: viewSchema,
    async write({ work, body, caller: { user } }) {
      const id = await createView(work, user.id, body);
      return { data: (view: View) => readView(view, user.id, id) };
    },
  }),
  defineConsoleEndpoint({
    id: 'contacts.save-columns',
    method: 'PUT',
    path: `${VIEWS}/default`,
    summary: 'Save the columns of the list of all contacts',
    access: readers,
    rate: 'write',
    body: columnsBody,
    data: columnsBody,
    async write({ work, body: { columns }, caller: { user } }) {
      saveColumns(work, user.id, columns);
      return { data: { columns } };
    },
  }),
  defineConsoleEndpoint({
    id: 'contacts.update-view',
    method: 'PATCH',
    path: `${VIEWS}/:id`,
    summary: 'Change the given members of a saved view',
    access: readers,
    rate: 'write',
    params,
    body: viewPatch,
    data: viewSchema,
    async write({ work, params: { id }, body, caller: { user } }) {
      await updateView(work, { userId: user.id, id }, body);
      return { data: (view: View) => readView(view, user.id, id) };
    },
  }),
  defineConsoleEndpoint({
    id: 'contacts.delete-view',
    method: 'DELETE',
    path: `${VIEWS}/:id`,
    summary: 'Delete a saved view',
    access: readers,
    rate: 'write',
    params,
    data: s.response({ id: s.uuid(), deleted: Type.Boolean() }),
    async write({ work, params: { id }, caller: { user } }) {
      await deleteView(work, user.id, id);
      return { data: { id, deleted: true } };
    },
  }),
];

/** Endpoints of the contact pages that only the console has. */
export const contactPageEndpoints = [
  ...viewEndpoints,
  defineConsoleEndpoint({
    id: 'contacts.read-phone',
    method: 'GET',
    path: '/console/api/v1/phone-number',
    summary: 'Read a phone number as people write it',
    description:
      'Returns it in E.164. A number without a country code belongs to the country of the sub-account, as in an import.',
    access: readers,
    rate: 'read',
    query: phoneQuery,
    data: phoneReading,
    read: async ({ view, query: { text } }) => ({ data: await readPhone(view, text) }),
  }),
  defineConsoleEndpoint({
    id: 'contacts.change-many',
    method: 'POST',
    path: CHANGES,
    summary: 'Tag, untag or assign many contacts',
    description:
      'The contacts with these ids, or all that a filter finds. A worker changes them in batches. Each fires the same events as changing one contact.',
    access: changers,
    rate: 'write',
    status: 202,
    body: bulkChangeBody,
    data: bulkChangeSchema,
    async write({ work, body }) {
      const id = await startBulkChange(work, body);
      return { data: (view: View) => readBulkChange(view, id) };
    },
  }),
  defineConsoleEndpoint({
    id: 'contacts.change-of-many',
    method: 'GET',
    path: `${CHANGES}/:id`,
    summary: 'Get the progress of a change of many contacts',
    description: 'Kept for 30 days.',
    access: changers,
    rate: 'read',
    params,
    assertExists: (view, { id }) => readBulkChange(view, id),
    data: bulkChangeSchema,
    read: async ({ view, params: { id } }) => ({ data: await readBulkChange(view, id) }),
  }),
  defineConsoleEndpoint({
    id: 'contacts.stop-many',
    method: 'POST',
    path: `${CHANGES}/:id/stop`,
    summary: 'Stop a change of many contacts',
    description:
      'The batch that is under way ends first. Contacts that were changed stay changed. Does nothing if the change has ended.',
    access: changers,
    rate: 'write',
    params,
    assertExists: (view, { id }) => readBulkChange(view, id),
    data: bulkChangeSchema,
    async write({ work, params: { id } }) {
      await stopBulkChange(work, id);
      return { data: (view: View) => readBulkChange(view, id) };
    },
  }),
  defineConsoleEndpoint({
    id: 'contacts.merge-preview',
    method: 'POST',
    path: `${CONTACT}/merge/preview`,
    summary: 'Show the outcome of a merge without merging',
    description:
      '`result` is the contact that remains, `kept` and `other` are both as they are now, and `moved` counts the records that move to it. Refused like the merge itself.',
    access: writers,
    rate: 'read',
    ...ofContact,
    body: s.request({ contactId: s.uuid() }),
    data: mergePreviewSchema,
    dryRun: async ({ work, params: { id }, body: { contactId } }) => ({
      data: await previewMerge(work, id, contactId),
    }),
  }),
  defineConsoleEndpoint({
    id: 'contacts.consent',
    method: 'GET',
    path: `${CONTACT}/consent`,
    summary: 'Get what a contact may be sent, and which addresses are suppressed',
    access: readers,
    rate: 'read',
    ...ofContact,
    data: consentSchema,
    read: async ({ view, params: { id } }) => ({ data: await findConsent(view, id) }),
  }),
  defineConsoleEndpoint({
    id: 'contacts.suppress',
    method: 'POST',
    path: `${CONTACT}/suppress`,
    summary: 'Suppress an address of a contact',
    description: 'The reason is `manual`; an existing suppression keeps its own. Fires no event.',
    access: writers,
    ...consentChange,
    async write({ work, params: { id }, body }) {
      await assertAddressOf(work, id, body);
      await suppressAddress(work, { ...body, reason: 'manual' });
      return { data: (view: View) => findConsent(view, id) as never };
    },
  }),
  defineConsoleEndpoint({
    id: 'contacts.unsuppress',
    method: 'POST',
    path: `${CONTACT}/unsuppress`,
    summary: 'Remove the suppression of an address of a contact',
    description:
      'For admins: messages are sent to the address again, although its owner may have opted out. Fires no event.',
    access: memberRole('admin'),
    ...consentChange,
    async write({ work, params: { id }, body }) {
      await assertAddressOf(work, id, body);
      await unsuppressAddress(work, body);
      return { data: (view: View) => findConsent(view, id) as never };
    },
  }),
];
