import { Type, type Static } from 'typebox';
import { Fault } from '#core/fault.ts';
import { nullable, oneOf, shortText, request } from '#core/schema/schema.ts';
import type { Issue, SectionTools } from '#core/section.ts';

const URL_MAX = 2_000;
const SECRET_MAX = 4_000;

/** A calendar that a member keeps elsewhere, as a manifest has it. */
export const externalCalendar = request({
  type: oneOf(['caldav', 'ics'], {
    description: 'caldav: read, and a hold is written per booking. ics: read.',
  }),
  url: Type.String({
    format: 'uri',
    maxLength: URL_MAX,
    description: 'Of the calendar, or by caldav of a server with one; http is fine for ics.',
  }),
  user: Type.Optional(nullable(shortText({ description: 'caldav: who logs in.' }))),
  password: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: SECRET_MAX, description: 'caldav.' })),
  ),
  deletedOutside: Type.Optional(
    nullable(
      oneOf(['keep', 'cancel'], {
        description:
          'caldav: what becomes of a booking whose hold is deleted there; keep unless given.',
      }),
    ),
  ),
});
type ExternalCalendarInput = Static<typeof externalCalendar>;

/** The same with every member. */
export interface WholeExternalCalendar {
  readonly type: 'caldav' | 'ics';
  readonly url: string;
  readonly user: string | null;
  readonly password: string | null;
  readonly deletedOutside: 'keep' | 'cancel' | null;
}

/** As it is stored, the password apart. */
export type StoredExternalCalendar = Omit<WholeExternalCalendar, 'password'>;

export function externalIssues(given: ExternalCalendarInput | null | undefined): readonly Issue[] {
  if (!given) {
    return [];
  }
  const { username, password } = new URL(given.url);
  const issues: Issue[] = [];
  if (username !== '' || password !== '') {
    issues.push({ path: '/url', message: 'must not carry a user name or a password' });
  }
  for (const name of ['user', 'password', 'deletedOutside'] as const) {
    if (given.type === 'ics' && (given[name] ?? null) !== null) {
      issues.push({ path: `/${name}`, message: 'is not for ics' });
    }
  }
  if (given.type === 'caldav' && (given.user ?? null) === null) {
    issues.push({ path: '', message: 'must have user, which caldav needs' });
  }
  return issues.map(({ path, message }) => ({ path: `/externalCalendar${path}`, message }));
}

/** A password that is left out stays for as long as it is of the same account. */
export function completeExternal(
  given: ExternalCalendarInput | null | undefined,
  stored: WholeExternalCalendar | null | undefined,
): WholeExternalCalendar | null {
  if (!given) {
    return null;
  }
  const { type, url, user = null } = given;
  const isSame = stored?.url === url && stored.user === user && stored.type === type;
  return {
    type,
    url,
    user,
    password: given.password ?? (isSame ? stored.password : null),
    deletedOutside: given.deletedOutside ?? (type === 'caldav' ? 'keep' : null),
  };
}

/** Where the sealed password of a member's calendar lies; it opens nowhere else. */
export const externalPlace = (memberId: string): string => `team_members/${memberId}/external`;

interface ExternalCalendarEntry {
  readonly externalCalendar: StoredExternalCalendar | null;
  readonly externalPassword: Uint8Array | null;
}

/** What is written of it. Without the key a password that is there stays sealed as it is. */
export function keptExternal(
  memberId: string,
  wanted: WholeExternalCalendar | null,
  sealed: Uint8Array | null,
  { secrets }: SectionTools,
): ExternalCalendarEntry {
  if (!wanted) {
    return { externalCalendar: null, externalPassword: null };
  }
  const { password, ...stored } = wanted;
  if (password !== null && !secrets) {
    throw new Fault(
      'VALIDATION_ERROR',
      'team: externalCalendar has a password, and FRONTDESK_SECRET_KEY is not set, which seals it',
    );
  }
  const fresh = password === null ? null : secrets?.seal(password, externalPlace(memberId));
  return { externalCalendar: stored, externalPassword: (secrets ? fresh : sealed) ?? null };
}

/** Put together again; without the password where the key is not at hand. */
export function openedExternal(
  memberId: string,
  { externalCalendar: stored, externalPassword: sealed }: ExternalCalendarEntry,
  { secrets }: SectionTools,
): WholeExternalCalendar | null {
  if (!stored) {
    return null;
  }
  const { type, url, user, deletedOutside } = stored;
  const password =
    secrets && sealed ? secrets.open(Buffer.from(sealed), externalPlace(memberId)) : null;
  return { type, url, user, password, deletedOutside };
}
