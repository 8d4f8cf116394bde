import { notFound } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import type { Brand } from '#lib/brand.ts';
import type { AddedLanguages } from '#lib/translate.ts';
import { liveIdsByPhone } from '../../contacts/find-by-phone.ts';
import { suppressAddress, unsuppressAddress } from '../../contacts/consent/suppressions.ts';

/** One channel of a recipient, with its address. */
export interface Preference {
  readonly channel: 'email' | 'sms';
  readonly address: string;
  readonly isOpen: boolean;
  /** Why it is suppressed; null if it is not. */
  readonly reason: string | null;
  /**
   * The page does not change it: it is suppressed for a reason that the recipient cannot lift, or
   * another contact has the number, too.
   */
  readonly isLocked: boolean;
  /** Whether the sub-account has the channel; the page mentions no other. */
  readonly isShown: boolean;
}

export interface Preferences {
  readonly recipientId: string;
  readonly brand: Brand;
  readonly locale: string;
  readonly languages: AddedLanguages;
  /** The sub-account is closed: the recipient can unsubscribe, and not subscribe again. */
  readonly isClosed: boolean;
  readonly channels: readonly Preference[];
}

interface Row {
  readonly brand: string;
  readonly color: string | null;
  readonly logoUrl: string | null;
  readonly locale: string;
  readonly languages: AddedLanguages;
  readonly email: string;
  readonly emailClosed: string | null;
  readonly phone: string | null;
  readonly phoneClosed: string | null;
  readonly isSharedPhone: boolean;
  readonly hasSms: boolean;
  readonly isClosed: boolean;
}

/**
 * Returns the preferences of a recipient. Throws NOT_FOUND if the recipient or sub-account is gone, and
 * for a recipient who was erased: its address is unknown. A closed sub-account has preferences until it is
 * purged: mails that were on their way must offer to unsubscribe.
 */
export async function readPreferences(view: View, recipientId: string): Promise<Preferences> {
  const [row] = await view.rows<Row>(PREFERENCES, [view.subAccountId, recipientId]);
  if (!row) {
    throw notFound('page');
  }
  const { brand: name, color, logoUrl, email, emailClosed, phone, phoneClosed } = row;
  const { locale, languages, hasSms, isSharedPhone, isClosed } = row;
  const sms = phone === null ? undefined : preferenceOf('sms', phone, phoneClosed);
  return {
    recipientId,
    brand: { name, color, logoUrl },
    locale,
    languages,
    isClosed,
    channels: [
      { ...preferenceOf('email', email, emailClosed), isShown: true },
      ...(sms ? [{ ...sms, isLocked: sms.isLocked || isSharedPhone, isShown: hasSms }] : []),
    ],
  };
}

/** One node of a cluster answers only if every table has the sub-account as a value. */
const PREFERENCES = `select coalesce(a.brand, a.name) as brand, a.brand_color as color, a.logo_url as "logoUrl",
    a.locale, a.languages, a.deleted_at is not null as "isClosed", r.email,
    e.reason as "emailClosed", c.phone, p.reason as "phoneClosed",
    exists (
      select from (${liveIdsByPhone('c.phone')}) as o where o.id <> c.id
    ) as "isSharedPhone",
    exists (select from channels h where h.sub_account_id = $1 and h.channel = 'sms') as "hasSms"
  from campaign_recipients r
  join sub_accounts a on a.id = $1
  join contacts k on k.sub_account_id = $1 and k.id = r.contact_id
  left join contacts c on c.sub_account_id = $1
    and c.id = coalesce(k.merged_into, k.id)
    and c.deleted_at is null
  left join opt_outs e on e.sub_account_id = $1 and e.channel = 'email'
    and e.address = r.address
  left join opt_outs p on p.sub_account_id = $1 and p.channel = 'sms'
    and p.address = c.phone
  where r.sub_account_id = $1 and r.id = $2 and r.address like '%@%'`;

/**
 * Reasons that the recipient gave, and can withdraw. A mail does not prove whose the phone is, and anyone
 * may type a number: STOP is lifted by START, from that phone.
 */
const LIFTABLE: Readonly<Record<Preference['channel'], readonly string[]>> = {
  email: ['unsubscribe', 'stop'],
  sms: ['unsubscribe'],
};

const preferenceOf = (
  channel: Preference['channel'],
  address: string,
  closed: string | null,
): Omit<Preference, 'isShown'> => ({
  channel,
  address,
  reason: closed,
  isOpen: closed === null,
  isLocked: closed !== null && !LIFTABLE[channel].includes(closed),
});

/**
 * Allows or suppresses channels; the campaign counts the recipient as unsubscribed until they subscribe
 * again. Returns the preferences after the change.
 */
export async function setPreferences(
  work: Work,
  preferences: Preferences,
  choices: Readonly<Partial<Record<Preference['channel'], boolean>>>,
): Promise<Preferences> {
  const channels: Preference[] = [];
  for (const preference of preferences.channels) {
    const { channel, address, reason, isOpen, isLocked } = preference;
    const choice = choices[channel] ?? isOpen;
    if (isLocked || choice === isOpen || (choice && preferences.isClosed)) {
      channels.push(preference);
      continue;
    }
    if (choice) {
      // Another reason may have come since: it stays.
      await unsuppressAddress(work, { channel, address, ...(reason !== null && { reason }) });
    } else {
      await suppressAddress(work, { channel, address, reason: 'unsubscribe' });
    }
    if (channel === 'email') {
      const unsubscribedAt = choice ? null : work.now;
      work.write(MARK, [work.subAccountId, preferences.recipientId, unsubscribedAt]);
    }
    channels.push({ ...preference, reason: choice ? null : 'unsubscribe', isOpen: choice });
  }
  return { ...preferences, channels };
}

const MARK = `update campaign_recipients set unsubscribed_at = $3::timestamptz
  where sub_account_id = $1 and id = $2`;
