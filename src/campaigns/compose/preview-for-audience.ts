import {
  mergedHtml,
  mergedSubject,
  mergedText,
  unknownFieldsIn,
  type UnknownField,
} from '#lib/merge-fields.ts';
import type { View } from '#core/work.ts';
import { customValuesOf } from '../../accounts/sub-accounts/sub-account.store.ts';
import { mergeValuesOf } from '../../contacts/contact.store.ts';
import { isMember } from '../audience/resolve-audience.ts';
import type { CampaignCreate } from '../campaign.schema.ts';
import { matching } from '../lists/list-filter.ts';
import { htmlOf, textOf, UNSUBSCRIBE_FIELD, type Wording } from './compile-mail.ts';
import { resolveLayout } from './resolve-layout.ts';
import { EXAMPLE_CONTACT, readWording } from './show-preview.ts';
import { findList, findListOfCampaign, type ActiveList } from '../lists/list.store.ts';

/** A mail as one recipient gets it. */
export interface PreviewedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly unknownFields: readonly UnknownField[];
}

/**
 * Returns a campaign's mail, merged for a contact of its audience; for an example contact if the
 * audience is empty. Throws NOT_FOUND.
 */
export async function previewForAudience(view: View, id: string): Promise<PreviewedMail> {
  const wording = await readWording(view, id);
  return mergeMail(view, wording, await contactOfAudience(view, id));
}

/** The content of a campaign that may be incomplete. */
type Unsaved = Pick<CampaignCreate, 'subject' | 'preheader' | 'contentHtml' | 'layout' | 'listId'>;

/** Returns the same of content that is not saved. Throws layout_not_found or layout_invalid. */
export async function previewUnsaved(view: View, content: Unsaved): Promise<PreviewedMail> {
  const { subject, preheader = null, contentHtml } = content;
  const { html: layoutHtml, defaultListId } = await resolveLayout(view, content.layout);
  const list = await findList(view, content.listId ?? defaultListId);
  const contact = list && (await contactOfList(view, list));
  return mergeMail(view, { subject, preheader, contentHtml, layoutHtml }, contact);
}

type Mergeable = Parameters<typeof mergeValuesOf>[0];

/** Returns a mail as a contact gets it. */
export async function mergeMail(
  view: View,
  wording: Wording,
  contact: Mergeable = EXAMPLE_CONTACT,
): Promise<PreviewedMail> {
  const values = mergeValuesOf(contact, await customValuesOf(view));
  const html = htmlOf(wording);
  return {
    subject: mergedSubject(wording.subject, values),
    html: mergedHtml(html, values),
    text: mergedText(textOf(wording), values),
    unknownFields: unknownFieldsIn([wording.subject, html], { ...values, [UNSUBSCRIBE_FIELD]: '' }),
  };
}

async function contactOfAudience(view: View, id: string): Promise<Mergeable | undefined> {
  const [recipient] = await view.rows<Mergeable>(RECIPIENT, [view.subAccountId, id]);
  if (recipient) {
    return recipient;
  }
  const list = await findListOfCampaign(view, id);
  return list && contactOfList(view, list);
}

async function contactOfList(view: View, list: ActiveList): Promise<Mergeable | undefined> {
  const values: unknown[] = [view.subAccountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const belongs = list.filter ? matching(list.filter, bind) : [isMember(bind(list.id))];
  const [member] = await view.rows<Mergeable>(
    `${CONTACT} from contacts c where ${[...LIVE, ...belongs].join(' and ')} order by c.id limit 1`,
    values,
  );
  return member;
}

const LIVE = ['c.sub_account_id = $1', 'c.deleted_at is null', 'c.email is not null'];

const CONTACT = `select c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone,
    c.company`;

const RECIPIENT = `${CONTACT} from campaign_recipients r
  join contacts c on c.sub_account_id = r.sub_account_id and c.id = r.contact_id
  where r.sub_account_id = $1 and r.campaign_id = $2 and c.deleted_at is null
  order by r.id limit 1`;
