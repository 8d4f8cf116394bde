import { Type, type Static } from 'typebox';
import type { Reply } from '#core/endpoint/reply.ts';
import { invalid } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { CachedRead, View } from '#core/work.ts';
import { encodeList } from '#lib/encode-list.ts';
import { openGate } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import { bookableCalendars, type BookableCalendar } from './offers.ts';
import type { Schedule } from './schedule.ts';

/** A team member that a customer can choose. `key` is the one of the manifest. */
const bookableMember = s.response({
  id: s.uuid(),
  key: Type.String({ examples: ['ada'] }),
  name: Type.String({ examples: ['Dr. Ada Byron'] }),
});
type BookableMember = Static<typeof bookableMember>;

/** An appointment type (spec "Appointment type"). */
export const appointmentTypeSchema = s.response({
  id: s.uuid(),
  calendarId: s.uuid(),
  name: Type.String(),
  duration: Type.Integer({ minimum: 1, description: 'minutes' }),
  slug: Type.String(),
  members: Type.Array(bookableMember, {
    description: 'the team members that `assignedTo` can name; none if there is no choice',
  }),
});
type AppointmentType = Static<typeof appointmentTypeSchema>;

const TEAM: CachedRead<BookableMember> = {
  tables: ['team_members'],
  text: 'select id, key, name from team_members where sub_account_id = $1',
};

interface TypesQuery {
  readonly calendarId?: string | undefined;
  /** The id of the type after which the page begins. */
  readonly after: string | undefined;
  readonly bytesMax: number;
}

/** Each takes up to ten megabytes. */
const LISTS_AT_ONCE = 8;

const lists = openGate({ shares: openShares<string>(LISTS_AT_ONCE) });

/**
 * Returns the active types in the order of the manifest, as many as fit: each repeats the members of its
 * calendar. Throws VALIDATION_ERROR if the type after which the page begins was removed.
 */
export async function listTypes(view: View, query: TypesQuery): Promise<Reply> {
  const { subAccountId } = view;
  return lists.run(subAccountId, async () => {
    const calendars = await bookableCalendars(view);
    const team = new Map((await view.cached(TEAM)).map((one) => [one.id, one]));
    const types = typesOf(calendars, team, query);
    const { data, last, isCut } = await encodeList(subAccountId, types, query.bytesMax);
    return { data, next: isCut && last ? last.id : null };
  });
}

function* typesOf(
  calendars: readonly BookableCalendar[],
  team: ReadonlyMap<string, BookableMember>,
  { calendarId, after }: TypesQuery,
): Generator<AppointmentType> {
  let isAfter = after === undefined;
  for (const { id, schedule, types } of calendars) {
    if (calendarId !== undefined && id !== calendarId) {
      continue;
    }
    const members = choicesOf(schedule).flatMap((one) => team.get(one) ?? []);
    for (const { id: typeId, name, duration, slug, isActive } of types) {
      if (isAfter && isActive) {
        yield { id: typeId, calendarId: id, name, duration, slug, members };
      }
      isAfter ||= typeId === after;
    }
  }
  if (!isAfter) {
    const message = 'names an appointment type that was removed; start the list again without it';
    throw invalid([{ in: 'query', path: '/cursor', message }], { reason: 'cursor_expired' });
  }
}

/** Returns the ids of the members who take turns, if there are several. */
const choicesOf = ({ kind, members }: Schedule): readonly string[] =>
  (kind === 'round-robin' || kind === 'class') && members.length > 1
    ? members.map(({ memberId }) => memberId)
    : [];
