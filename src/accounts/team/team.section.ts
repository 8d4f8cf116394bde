import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import { newId } from '#lib/id.ts';
import { email, nullable, shortText, request } from '#core/schema/schema.ts';
import { defineSection, key, type SectionTools } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import {
  completeExternal,
  externalCalendar,
  externalIssues,
  storedExternal,
  openedExternal,
  type WholeExternalCalendar,
} from './external-calendar.ts';
import { externalCalendarChanged, memberRemoved } from './member.events.ts';
import { TeamMember } from './team-member.entity.ts';

interface Row {
  readonly member: TeamMember;
  external: WholeExternalCalendar | null;
}

interface TeamEntry {
  readonly key: string;
  readonly name: string;
  readonly email: string | null;
  readonly externalCalendar: WholeExternalCalendar | null;
}

/**
 * Removing a member unassigns their contacts, conversations, opportunities and tasks, and past appointments.
 * Upcoming appointments need a new assignee.
 */
export const teamSection = defineSection({
  name: 'team',
  summary: 'Team members: contacts are assigned to them, and they give appointments.',
  match: 'key',
  schema: request({
    key: key({ description: 'Key by which the rest of the manifest refers to the member.' }),
    name: shortText({
      description: 'Name in the console; customers see it in the live chat only.',
    }),
    email: Type.Optional(nullable(email({ description: 'Address for notifications.' }))),
    externalCalendar: Type.Optional(nullable(externalCalendar)),
  }),
  secrets: /^\/externalCalendar\/password$/,
  environment: {
    path: /^\/externalCalendar\/(?:user|password)$/,
    wholePath: /^\/externalCalendar\/url$/,
    destination: /^\/externalCalendar\/(?:type|url)$/,
    label: 'user, password or as the whole url in externalCalendar of a team member',
  },
  check: (given) => externalIssues(given.externalCalendar),
  complete: (given, stored: TeamEntry | undefined): TeamEntry => ({
    email: null,
    ...given,
    externalCalendar: completeExternal(given.externalCalendar, stored?.externalCalendar),
  }),
  load,
  valueOf: ({ member: { key, name, email }, external }: Row): TeamEntry => {
    return { key, name, email: email ?? null, externalCalendar: external };
  },
  idOf: ({ member }) => member.id,
  async create(work, wanted, _key, _idOf, tools) {
    const { em, subAccountId, now } = work;
    const id = newId(now);
    const fields = { ...fieldsOf(id, wanted, null, tools), createdAt: now, updatedAt: now };
    const member = em.create(TeamMember, { ...fields, subAccountId, id });
    em.persist(member);
    if (wanted.externalCalendar) {
      await announce(work, id);
    }
    return { member, external: wanted.externalCalendar };
  },
  async update(work, row, wanted, _idOf, tools) {
    const { member, external } = row;
    const sealed = member.externalPassword ?? null;
    work.em.assign(member, {
      ...fieldsOf(member.id, wanted, sealed, tools, external),
      updatedAt: work.now,
    });
    row.external = wanted.externalCalendar;
    if (!isDeepStrictEqual(external, wanted.externalCalendar)) {
      await announce(work, member.id);
    }
  },
  async remove(work, { member }, { reassignTo = null }) {
    const { id: memberId, key: memberKey } = member;
    const data = { memberId, memberKey, reassignTo };
    await work.emit(memberRemoved, { contactId: null, data });
    await unassignAll(work, memberId);
    work.em.remove(member);
  },
});

const ASSIGNED = ['contacts', 'conversations', 'opportunities', 'tasks'];
/** The foreign keys would unassign 200,000 contacts in one statement, which then reaches its time limit. */
const UNASSIGNED_AT_ONCE = 5_000;

/** Unassigns the live records of a member; the foreign keys do so for deleted ones and for appointments. */
async function unassignAll({ rows, subAccountId }: Work, memberId: string): Promise<void> {
  for (const table of ASSIGNED) {
    let count = UNASSIGNED_AT_ONCE;
    while (count === UNASSIGNED_AT_ONCE) {
      const values = [subAccountId, memberId, UNASSIGNED_AT_ONCE];
      const [done] = await rows<{ readonly count: number }>(UNASSIGN(table), values);
      count = done?.count ?? 0;
    }
  }
}

const UNASSIGN = (table: string): string => `with part as (
    select id from ${table}
    where sub_account_id = $1 and assigned_to = $2 and deleted_at is null
    order by id limit $3 for update
  ), done as (
    update ${table} t set assigned_to = null from part
    where t.sub_account_id = $1 and t.id = part.id returning 1
  )
  select count(*)::int as count from done`;

async function load({ em, subAccountId }: Work, tools: SectionTools): Promise<Row[]> {
  const members = await em.find(TeamMember, { subAccountId }, { orderBy: { id: 'asc' } });
  return members.map((member) => {
    const { externalCalendar: stored = null, externalPassword = null } = member;
    const kept = { externalCalendar: stored, externalPassword };
    return { member, external: openedExternal(member.id, kept, tools) };
  });
}

const fieldsOf = (
  id: string,
  { externalCalendar: wanted, ...own }: TeamEntry,
  sealed: Uint8Array | null,
  tools: SectionTools,
  stored: WholeExternalCalendar | null = null,
) => ({ ...own, ...storedExternal(id, wanted, sealed, tools, stored) });

const announce = (work: Work, memberId: string): Promise<void> =>
  work.emit(externalCalendarChanged, { contactId: null, data: { memberId } });
