// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import { iterateList } from '../iterate.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Deleted, PageMeta } from './shared.ts';

export interface DoNotDisturb {
  all?: boolean | null | undefined;
  sms?: boolean | null | undefined;
  email?: boolean | null | undefined;
  messenger?: boolean | null | undefined;
  instagram?: boolean | null | undefined;
  gmail?: boolean | null | undefined;
  live_chat?: boolean | null | undefined;
  social_dm?: boolean | null | undefined;
}

export type LifecycleStage = 'lead' | 'qualified' | 'customer' | 'repeat' | 'inactive';

export interface Contact {
  id: string;
  firstName: string;
  lastName: string;
  email: string | null;
  phone: string | null;
  company: string | null;
  title: string | null;
  lifecycleStage: LifecycleStage;
  addressLine1: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  country: string | null;
  dateOfBirth: string | null;
  timezone: string | null;
  source: string | null;
  assignedTo: string | null;
  tags: string[];
  additionalEmails: string[];
  additionalPhones: string[];
  customFields: Record<string, unknown>;
  dnd: Record<string, boolean>;
  engagementScore: number | null;
  createdAt: string;
  updatedAt: string;
}

export interface CustomField {
  name: string;
  label: string;
  type: 'text' | 'number' | 'select' | 'date' | 'boolean' | 'url' | 'email' | 'phone';
  options: string[] | null;
  isRequired: boolean;
}

export interface ContactsListQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  search?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  lifecycleStage?: LifecycleStage | undefined;
  source?: string | undefined;
  tags?: string | readonly string[] | undefined;
  assignedTo?: string | undefined;
  hasPhone?: boolean | undefined;
}

export interface ContactsCreateBody {
  firstName: string;
  lastName: string;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  company?: string | null | undefined;
  title?: string | null | undefined;
  lifecycleStage?: LifecycleStage | undefined;
  addressLine1?: string | null | undefined;
  city?: string | null | undefined;
  state?: string | null | undefined;
  postalCode?: string | null | undefined;
  country?: string | null | undefined;
  dateOfBirth?: string | null | undefined;
  timezone?: string | null | undefined;
  source?: string | null | undefined;
  assignedTo?: string | null | undefined;
  tags?: readonly string[] | undefined;
  additionalEmails?: readonly string[] | undefined;
  additionalPhones?: readonly string[] | undefined;
  customFields?: Readonly<Record<string, unknown>> | null | undefined;
  dnd?: DoNotDisturb | undefined;
}

export interface ContactsUpsertBody {
  firstName?: string | undefined;
  lastName?: string | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  company?: string | null | undefined;
  title?: string | null | undefined;
  lifecycleStage?: LifecycleStage | undefined;
  addressLine1?: string | null | undefined;
  city?: string | null | undefined;
  state?: string | null | undefined;
  postalCode?: string | null | undefined;
  country?: string | null | undefined;
  dateOfBirth?: string | null | undefined;
  timezone?: string | null | undefined;
  source?: string | null | undefined;
  assignedTo?: string | null | undefined;
  tags?: readonly string[] | undefined;
  additionalEmails?: readonly string[] | undefined;
  additionalPhones?: readonly string[] | undefined;
  customFields?: Readonly<Record<string, unknown>> | null | undefined;
  dnd?: DoNotDisturb | undefined;
}

export interface ContactsUpsertMeta {
  created: boolean;
}

export interface ContactsUpdateBody {
  firstName?: string | undefined;
  lastName?: string | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  company?: string | null | undefined;
  title?: string | null | undefined;
  lifecycleStage?: LifecycleStage | undefined;
  addressLine1?: string | null | undefined;
  city?: string | null | undefined;
  state?: string | null | undefined;
  postalCode?: string | null | undefined;
  country?: string | null | undefined;
  dateOfBirth?: string | null | undefined;
  timezone?: string | null | undefined;
  source?: string | null | undefined;
  assignedTo?: string | null | undefined;
  tags?: readonly string[] | undefined;
  additionalEmails?: readonly string[] | undefined;
  additionalPhones?: readonly string[] | undefined;
  customFields?: Readonly<Record<string, unknown>> | null | undefined;
  dnd?: DoNotDisturb | undefined;
}

export interface ContactsBotUpdateBody {
  operation: 'set_field' | 'set_custom_field' | 'add_tag' | 'remove_tag';
  field?: string | undefined;
  value?: string | number | boolean | undefined;
}

export interface ContactsMergeBody {
  /** the other contact, which is merged into that of the path */
  contactId: string;
}

export const contacts = (api: Api) => ({
  /**
   * List contacts, newest first.
   *
   * `search` matches parts of name, email and company, ignoring case and accents. `tags=a,b`
   * requires both tags. `email` also matches additional emails. `phone` is in E.164 and also
   * matches additional phones; several contacts may have it.
   *
   * Scope: `contacts:read`.
   */
  list: (query: ContactsListQuery = {}, options?: CallOptions) =>
    api.answer<Contact[], PageMeta>('GET', path`/api/v1/contacts`, { query, options }),

  /** Iterates over all of `list`, page by page. */
  iterate: (query: ContactsListQuery = {}, options?: CallOptions) =>
    iterateList<Contact, PageMeta>(api, path`/api/v1/contacts`, query, options),

  /**
   * Get one contact.
   *
   * Scope: `contacts:read`.
   */
  get: (id: string, options?: CallOptions) =>
    api.data<Contact>('GET', path`/api/v1/contacts/${id}`, { options }),

  /**
   * List the custom field definitions.
   *
   * Scope: `contacts:read`.
   */
  fields: (options?: CallOptions) =>
    api.data<CustomField[]>('GET', path`/api/v1/contacts/fields`, { options }),

  /**
   * Create a contact.
   *
   * Fires `contact.created` only. Refused if another live contact has the email.
   *
   * Scope: `contacts:write`.
   */
  create: (body: ContactsCreateBody, options?: CallOptions) =>
    api.data<Contact>('POST', path`/api/v1/contacts`, { body, options }),

  /**
   * Create a contact, or change the one with this email or phone.
   *
   * The contact is found by `email`, or by `phone` if no email is given; additional addresses
   * count. Found: 200, and the given fields are changed. `tags`, `additionalEmails` and
   * `additionalPhones` are added to the stored lists. The stored email keeps its spelling. An
   * additional address that found the contact does not become its primary address. Not found:
   * 201, and names are required. A phone of several contacts is refused with the reason
   * `ambiguous_phone`. An unknown email with a known phone creates a second contact with that
   * phone: to change the existing one, leave the email out. Fires the events of creating or
   * changing a contact.
   *
   * Scope: `contacts:write`.
   */
  upsert: (body: ContactsUpsertBody, options?: CallOptions) =>
    api.answer<Contact, ContactsUpsertMeta>('POST', path`/api/v1/contacts/upsert`, {
      body,
      options,
    }),

  /**
   * Change the given fields of a contact.
   *
   * `customFields` and `dnd` are merged by key, and null clears. Lists are replaced. Fires
   * `contact.updated`, or nothing if nothing differs; also `contact.tag_added` for each new tag
   * and `contact.lifecycle_changed`.
   *
   * Scope: `contacts:write`.
   */
  update: (id: string, body: ContactsUpdateBody, options?: CallOptions) =>
    api.data<Contact>('PATCH', path`/api/v1/contacts/${id}`, { body, options }),

  /**
   * Apply one instruction of a bot to a contact.
   *
   * An empty string clears a field. Tags are compared ignoring case. Fires the same events as
   * changing the contact.
   *
   * Scope: `contacts:write`.
   */
  botUpdate: (id: string, body: ContactsBotUpdateBody, options?: CallOptions) =>
    api.data<Contact>('PUT', path`/api/v1/contacts/${id}/bot-update`, { body, options }),

  /**
   * Merge another contact into this one.
   *
   * The empty fields of this contact are filled, and the tags are united. The email and phone
   * of the other contact become additional ones, if this contact has its own. The other id is
   * 404 from then on, like a deleted one. Its records move without an event, and no event names
   * it. Fires what a `PATCH` with the filled values would fire, such as `contact.updated`;
   * nothing if none was filled.
   *
   * Scope: `contacts:write`.
   */
  merge: (id: string, body: ContactsMergeBody, options?: CallOptions) =>
    api.data<Contact>('POST', path`/api/v1/contacts/${id}/merge`, { body, options }),

  /**
   * Delete a contact.
   *
   * Deletes its conversations, cancels its tasks and appointments, and ends its workflow runs.
   * Fires `appointment.cancelled` and `task.updated` for each of them that is cancelled, and no
   * event for the contact.
   *
   * Scope: `contacts:write`.
   */
  delete: (id: string, options?: CallOptions) =>
    api.data<Deleted>('DELETE', path`/api/v1/contacts/${id}`, { options }),
});
