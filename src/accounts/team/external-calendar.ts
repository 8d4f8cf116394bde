import { Type, type Static } from 'typebox';
import { Fault } from '#core/fault.ts';
import { nullable, oneOf, shortText, request } from '#core/schema/schema.ts';
import type { EntryIssue, SectionTools } from '#core/section.ts';

const URL_MAX = 2_000;
const SECRET_MAX = 4_000;

/** A member's external calendar in a manifest. */
export const externalCalendar = request({
  type: oneOf(['caldav', 'ics'], {
    description:
      'caldav: busy times are read, and bookings are written as events. ics: busy times are read.',
  }),
  url: Type.String({
    format: 'uri',
    maxLength: URL_MAX,
    description:
      'URL of the calendar; for caldav also of a server that has one; for ics also http.',
  }),
  user: Type.Optional(nullable(shortText({ description: 'caldav: user name.' }))),
  password: Type.Optional(
    nullable(
      Type.String({ minLength: 1, maxLength: SECRET_MAX, description: 'caldav: password.' }),
    ),
  ),
  deletedOutside: Type.Optional(
    nullable(
      oneOf(['keep', 'cancel'], {
        description:
          'caldav: whether a booking is kept or cancelled when its event is deleted there; default: keep.',
      }),
    ),
  ),
});
type ExternalCalendarInput = Static<typeof externalCalendar>;

/** An external calendar with its defaults filled in. */
export interface WholeExternalCalendar {
  readonly type: 'caldav' | 'ics';
  readonly url: string;
  readonly user: string | null;
  readonly password: string | null;
  readonly deletedOutside: 'keep' | 'cancel' | null;
}

/** The stored calendar; the password is stored separately. */
export type StoredExternalCalendar = Omit<WholeExternalCalendar, 'password'>;

export function externalIssues(
  input: ExternalCalendarInput | null | undefined,
): readonly EntryIssue[] {
  if (!input) {
    return [];
  }
  const { username, password } = new URL(input.url);
  const issues: EntryIssue[] = [];
  if (username !== '' || password !== '') {
    issues.push({
      path: '/url',
      message: 'must not contain a user name or a password; use user and password',
    });
  }
  for (const name of ['user', 'password', 'deletedOutside'] as const) {
    if (input.type === 'ics' && (input[name] ?? null) !== null) {
      issues.push({ path: `/${name}`, message: 'is allowed for caldav only' });
    }
  }
  if (input.type === 'caldav' && (input.user ?? null) === null) {
    issues.push({ path: '', message: 'must have user: caldav requires it' });
  }
  return issues.map(({ path, message }) => ({ path: `/externalCalendar${path}`, message }));
}

/** Without a password, the stored one is kept as long as type, URL and user stay the same. */
export function completeExternal(
  input: ExternalCalendarInput | null | undefined,
  stored: WholeExternalCalendar | null | undefined,
): WholeExternalCalendar | null {
  if (!input) {
    return null;
  }
  const { type, url, user = null } = input;
  const isSame = stored ? isSameCalendar(stored, { type, url, user }) : false;
  return {
    type,
    url,
    user,
    password: input.password ?? (isSame ? (stored?.password ?? null) : null),
    deletedOutside: input.deletedOutside ?? (type === 'caldav' ? 'keep' : null),
  };
}

type Login = Pick<WholeExternalCalendar, 'type' | 'url' | 'user'>;

const isSameCalendar = (stored: Login | null, { type, url, user }: Login): boolean =>
  stored?.url === url && stored.user === user && stored.type === type;

/** The context to which the password of a member's calendar is sealed. */
export const externalPlace = (memberId: string): string => `team_members/${memberId}/external`;

interface ExternalCalendarEntry {
  readonly externalCalendar: StoredExternalCalendar | null;
  readonly externalPassword: Uint8Array | null;
}

/**
 * Returns the columns to store. Without the secret key, a stored password stays as it is while the
 * calendar is the same one, and is removed with it: it must not be sent to another server.
 */
export function storedExternal(
  memberId: string,
  wanted: WholeExternalCalendar | null,
  sealed: Uint8Array | null,
  { secrets }: SectionTools,
  before: WholeExternalCalendar | null,
): ExternalCalendarEntry {
  if (!wanted) {
    return { externalCalendar: null, externalPassword: null };
  }
  const { password, ...stored } = wanted;
  if (password !== null && !secrets) {
    throw new Fault(
      'VALIDATION_ERROR',
      'team: externalCalendar has a password, but FRONTDESK_SECRET_KEY, which encrypts it, is not set',
    );
  }
  const kept = isSameCalendar(before, wanted) ? sealed : null;
  const fresh = password === null ? null : secrets?.seal(password, externalPlace(memberId));
  return { externalCalendar: stored, externalPassword: (secrets ? fresh : kept) ?? null };
}

/** Returns the stored calendar, without the password if the secret key is not set. */
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
