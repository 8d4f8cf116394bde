import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import { changeOf } from '#platform/database/live-records.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { botUpdateContact } from './bot-update-contact.ts';
import {
  botUpdate,
  contactCreate,
  contactPatch,
  contactSchema,
  contactUpsert,
} from './contact.schema.ts';
import { createContact } from './create-contact.ts';
import { CUSTOM_FIELD_TYPES, customFieldDefinitions } from './fields/custom-field.ts';
import { deleteContact } from './delete-contact.ts';
import { contactQuery, findContacts } from './find-contacts.ts';
import { mergeContacts } from './merge/merge-contacts.ts';
import { readContact, theContact } from './contact.store.ts';
import { updateContact } from './update-contact.ts';
import { upsertContact } from './upsert-contact.ts';

const ofContact = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => readContact(view, id),
};

export const contactEndpoints = [
  defineKeyedEndpoint({
    id: 'contacts.list',
    method: 'GET',
    path: '/api/v1/contacts',
    summary: 'List contacts, newest first',
    description:
      '`search` matches parts of name, email and company, ignoring case and accents. `tags=a,b` requires both tags. `email` also matches additional emails. `phone` is in E.164 and also matches additional phones; several contacts may have it.',
    access: scope('contacts:read'),
    rate: 'read',
    agent: {
      tool: 'find_contact',
      does: 'Searches contacts by a part of the name, by email, tags or other fields. Use it first to get a contactId.',
    },
    paged: true,
    query: contactQuery,
    data: Type.Array(contactSchema),
    meta: Type.Object({ total: Type.Integer() }),
    read: findContacts,
  }),

  defineKeyedEndpoint({
    id: 'contacts.get',
    method: 'GET',
    path: '/api/v1/contacts/:id',
    summary: 'Get one contact',
    access: scope('contacts:read'),
    rate: 'read',
    agent: { tool: 'get_contact', does: 'Returns everything known about one contact.' },
    ...ofContact,
    data: contactSchema,
    read: async ({ view, params: { id } }) => ({ data: await readContact(view, id) }),
  }),

  defineKeyedEndpoint({
    id: 'contacts.fields',
    method: 'GET',
    path: '/api/v1/contacts/fields',
    summary: 'List the custom field definitions',
    access: scope('contacts:read'),
    rate: 'read',
    data: Type.Array(
      s.response({
        name: Type.String(),
        label: Type.String(),
        type: s.oneOf(CUSTOM_FIELD_TYPES),
        options: s.nullable(Type.Array(Type.String())),
        isRequired: Type.Boolean(),
      }),
    ),
    read: async ({ view }) => ({ data: await view.cached(customFieldDefinitions) }),
  }),

  defineKeyedEndpoint({
    id: 'contacts.create',
    method: 'POST',
    path: '/api/v1/contacts',
    summary: 'Create a contact',
    description: 'Fires `contact.created` only. Refused if another live contact has the email.',
    access: scope('contacts:write'),
    rate: 'write',
    body: contactCreate,
    data: contactSchema,
    status: 201,
    write: async ({ work, body }) => ({ data: (await createContact(work, body)).record }),
  }),

  defineKeyedEndpoint({
    id: 'contacts.upsert',
    method: 'POST',
    path: '/api/v1/contacts/upsert',
    summary: 'Create a contact, or change the one with this email or phone',
    description:
      'The contact is found by `email`, or by `phone` if no email is given; additional addresses count. Found: 200, and the given fields are changed. `tags`, `additionalEmails` and `additionalPhones` are added to the stored lists. The stored email keeps its spelling. An additional address that found the contact does not become its primary address. Not found: 201, and names are required. A phone of several contacts is refused with the reason `ambiguous_phone`. An unknown email with a known phone creates a second contact with that phone: to change the existing one, leave the email out. Fires the events of creating or changing a contact.',
    access: scope('contacts:write'),
    rate: 'write',
    agent: {
      tool: 'save_contact',
      does: 'Creates a contact, or changes the one with this email or phone.',
    },
    body: contactUpsert,
    data: contactSchema,
    meta: Type.Object({ created: Type.Boolean() }),
    status: 201,
    otherStatus: 200,
    async write({ work, body }) {
      const { created, data } = await upsertContact(work, body);
      return { status: created ? 201 : 200, data, meta: { created } };
    },
  }),

  defineKeyedEndpoint({
    id: 'contacts.update',
    method: 'PATCH',
    path: '/api/v1/contacts/:id',
    summary: 'Change the given fields of a contact',
    description:
      '`customFields` and `dnd` are merged by key, and null clears. Lists are replaced. Fires `contact.updated`, or nothing if nothing differs; also `contact.tag_added` for each new tag and `contact.lifecycle_changed`.',
    access: scope('contacts:write'),
    rate: 'write',
    agent: {
      tool: 'save_contact',
      does: 'With contactId, changes the given fields of that contact.',
    },
    ...ofContact,
    body: contactPatch,
    data: contactSchema,
    write: changeOf(updateContact, theContact),
  }),

  defineKeyedEndpoint({
    id: 'contacts.bot-update',
    method: 'PUT',
    path: '/api/v1/contacts/:id/bot-update',
    summary: 'Apply one instruction of a bot to a contact',
    description:
      'An empty string clears a field. Tags are compared ignoring case. Fires the same events as changing the contact.',
    access: scope('contacts:write'),
    rate: 'write',
    ...ofContact,
    body: botUpdate,
    data: contactSchema,
    write: changeOf(botUpdateContact, theContact),
  }),

  defineKeyedEndpoint({
    id: 'contacts.merge',
    method: 'POST',
    path: '/api/v1/contacts/:id/merge',
    summary: 'Merge another contact into this one',
    description:
      'The empty fields of this contact are filled, and the tags are united. The email and phone of the other contact become additional ones, if this contact has its own. The other id is 404 from then on, like a deleted one. Its records move without an event, and no event names it. Fires what a `PATCH` with the filled values would fire, such as `contact.updated`; nothing if none was filled.',
    access: scope('contacts:write'),
    rate: 'write',
    agent: { risk: 'destroys' },
    ...ofContact,
    body: s.request({
      contactId: s.uuid({
        description: 'the other contact, which is merged into that of the path',
      }),
    }),
    data: contactSchema,
    async write({ work, params: { id }, body }) {
      await mergeContacts(work, id, body.contactId);
      return { data: theContact(id) };
    },
  }),

  defineKeyedEndpoint({
    id: 'contacts.delete',
    method: 'DELETE',
    path: '/api/v1/contacts/:id',
    summary: 'Delete a contact',
    access: scope('contacts:write'),
    rate: 'write',
    ...ofContact,
    description:
      'Deletes its conversations, cancels its tasks and appointments, and ends its workflow runs. Fires `appointment.cancelled` and `task.updated` for each of them that is cancelled, and no event for the contact.',
    data: s.response({ id: s.uuid(), deleted: Type.Boolean() }),
    async write({ work, params: { id } }) {
      await deleteContact(work, id);
      return { data: { id, deleted: true } };
    },
  }),
];
