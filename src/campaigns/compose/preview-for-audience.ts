import {
  mergedHtml,
  mergedSubject,
  mergedText,
  unknownFieldsIn,
  type UnknownField,
} from '#lib/merge-fields.ts';
import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { customValuesOf } from '../../accounts/sub-accounts/sub-account.store.ts';
import { mergeValuesOf, type Mergeable } from '../../contacts/contact.store.ts';
import { audienceOf } from '../audience/resolve-audience.ts';
import type { CampaignCreate } from '../campaign.schema.ts';
import {
  htmlOf,
  textOf,
  UNSUBSCRIBE_EXAMPLE,
  UNSUBSCRIBE_FIELD,
  type Wording,
} from './compile-mail.ts';
import { resolveLayout } from './resolve-layout.ts';
import { EXAMPLE_CONTACT, readWording } from './show-preview.ts';
import { findList, findListOfCampaign, type ActiveList } from '../lists/list.store.ts';

/** A mail as one recipient gets it. */
export interface PreviewedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The preview text of inboxes. */
  readonly preheader: string | null;
  readonly unknownFields: readonly UnknownField[];
  /** The contact that it is merged for. */
  readonly contact: PreviewedContact;
}

interface PreviewedContact {
  /** Null for an example. */
  readonly contactId: string | null;
  /** Empty for a contact without a name. */
  readonly name: string;
  readonly email: string | null;
}

/** The contact that a preview is merged for; by default the first one of the audience. */
export interface PreviewChoice {
  readonly contactId?: string | undefined;
  /** An example contact that has no name. */
  readonly withoutName?: boolean | undefined;
}

/**
 * Returns a campaign's mail, merged for the chosen contact or one of its audience; for an example
 * contact if the audience is empty. Throws NOT_FOUND.
 */
export async function previewForAudience(
  view: View,
  id: string,
  choice: PreviewChoice = {},
): Promise<PreviewedMail> {
  const wording = await readWording(view, id);
  const contact = (await chosenContact(view, choice)) ?? (await contactOfAudience(view, id));
  return mergeMail(view, wording, contact);
}

/** Returns the chosen contact; undefined without a choice, and for a contact that was deleted. */
export async function chosenContact(
  view: View,
  { contactId, withoutName = false }: PreviewChoice,
): Promise<Recipient | undefined> {
  if (withoutName) {
    return { ...EXAMPLE_CONTACT, firstName: '', lastName: '' };
  }
  const [chosen] =
    contactId === undefined
      ? []
      : await view.rows<Recipient>(`${CONTACT} from contacts c where ${CHOSEN}`, [
          view.subAccountId,
          contactId,
        ]);
  return chosen;
}

/** The content of a campaign that may be incomplete. */
type Unsaved = Pick<CampaignCreate, 'subject' | 'preheader' | 'contentHtml' | 'layout' | 'listId'>;

/** Returns the same of content that is not saved. Throws layout_not_found or layout_invalid. */
export async function previewUnsaved(
  view: View,
  content: Unsaved,
  choice: PreviewChoice = {},
): Promise<PreviewedMail> {
  const { subject, preheader = null, contentHtml } = content;
  const { html: layoutHtml, defaultListId } = await resolveLayout(view, content.layout);
  const list = await findList(view, content.listId ?? defaultListId);
  const chosen = await chosenContact(view, choice);
  const contact = chosen ?? (list && (await contactOfList(view, list)));
  return mergeMail(view, { subject, preheader, contentHtml, layoutHtml }, contact);
}

/** A contact; an example has no id. */
type Recipient = Mergeable & { readonly id?: string };

/** Returns a mail as a contact gets it. */
export async function mergeMail(
  view: View,
  wording: Wording,
  contact: Recipient = EXAMPLE_CONTACT,
): Promise<PreviewedMail> {
  const values = {
    ...mergeValuesOf(contact, await customValuesOf(view)),
    [UNSUBSCRIBE_FIELD]: UNSUBSCRIBE_EXAMPLE,
  };
  const html = htmlOf(wording);
  const { id = null, firstName, lastName, email = null } = contact;
  return {
    subject: mergedSubject(wording.subject, values),
    preheader: wording.preheader ? mergedSubject(wording.preheader, values) : null,
    html: mergedHtml(html, values),
    text: mergedText(textOf(wording), values),
    unknownFields: unknownFieldsIn([wording.subject, html], values),
    contact: { contactId: id, name: `${firstName} ${lastName}`.trim(), email },
  };
}

async function contactOfAudience(view: View, id: string): Promise<Recipient | undefined> {
  const [recipient] = await view.rows<Recipient>(RECIPIENT, [view.subAccountId, id]);
  if (recipient) {
    return recipient;
  }
  const list = await findListOfCampaign(view, id);
  return list && contactOfList(view, list);
}

async function contactOfList(view: View, list: ActiveList): Promise<Recipient | undefined> {
  const [member] = await membersOf(view, list, 1);
  return member;
}

/** A contact of a list that a mail can be previewed for. */
interface ListMember {
  readonly contactId: string;
  /** Empty for a contact without a name. */
  readonly name: string;
  readonly email: string | null;
  readonly hasFirstName: boolean;
}

/** The most contacts to choose from. */
const MEMBERS_MAX = 20;

/**
 * Returns the first contacts of a list that may be mailed, and the first without a first name.
 * Throws NOT_FOUND.
 */
export async function findPreviewContacts(view: View, listId: string): Promise<ListMember[]> {
  const list = await findList(view, listId);
  if (!list) {
    throw notFound('list');
  }
  const first = await membersOf(view, list, MEMBERS_MAX);
  const nameless = first.some(({ firstName }) => firstName === '')
    ? []
    : await membersOf(view, list, 1, `c.first_name = ''`);
  return [...first, ...nameless].map(({ id = '', firstName, lastName, email }) => ({
    contactId: id,
    name: `${firstName} ${lastName}`.trim(),
    email: email ?? null,
    hasFirstName: firstName !== '',
  }));
}

/** Returns contacts of a list that may be mailed, by id. */
function membersOf(
  view: View,
  list: ActiveList,
  limit: number,
  condition = 'true',
): Promise<Recipient[]> {
  const values: unknown[] = [view.subAccountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { from, conditions, id } = audienceOf(list, bind);
  return view.rows<Recipient>(
    `${CONTACT} from ${from} where ${[...conditions, condition].join(' and ')}
     order by ${id} limit ${limit}`,
    values,
  );
}

const CHOSEN = 'c.sub_account_id = $1 and c.id = $2 and c.deleted_at is null';

const CONTACT = `select c.id, c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone,
    c.company`;

const RECIPIENT = `${CONTACT} from campaign_recipients r
  join contacts c on c.sub_account_id = r.sub_account_id and c.id = r.contact_id
  where r.sub_account_id = $1 and r.campaign_id = $2 and c.deleted_at is null
  order by r.id limit 1`;
