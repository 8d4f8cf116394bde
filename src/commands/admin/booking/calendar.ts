import { wallClock, timeOfDay } from '../../../calendars/slots/zone.ts';
import { findExternal } from '../../../calendars/external/external-setup.ts';
import { rotateFeed, type Feed, findFeeds } from '../../../booking/feeds/feed-addresses.ts';
import { defineCommand } from '#core/command.ts';
import type { View } from '#core/work.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { baseUrlOf } from '#platform/config/environment.ts';
import { explainStart } from '../../../booking/availability/check-slot.ts';
import type { Offer } from '../../../calendars/offers.ts';
import {
  previewClockChanges,
  type ClockChangePreview,
} from '../../../calendars/slots/clock-changes.ts';
import type { AdminContext } from '../../open-admin.ts';
import { readTime, existing, liveSubAccount, knownOffer, subAccountOption } from '../answers.ts';

const type = {
  flag: '--type <key>',
  label: 'Appointment type',
  help: 'key or ID of the appointment type',
  required: true,
} as const;

const explain = defineCommand<AdminContext>()({
  path: 'admin calendar explain',
  summary: 'Explain why a start time can or cannot be booked',
  options: {
    subAccount: subAccountOption,
    type,
    at: {
      flag: '--at <time>',
      label: 'Start time',
      help: 'ISO 8601, for example 2026-12-01T09:00:00+01:00',
      required: true,
      parse: readTime,
    },
  },
  examples: [
    'frontdesk admin calendar explain --sub-account 0198c0de-… --type checkup-30 --at 2026-12-01T09:00:00+01:00',
  ],
  context: 'service',
  async run(context, { subAccount: sub, type: name, at }) {
    const { id } = await liveSubAccount(context, sub);
    const view = context.openView(id, context.clock());
    const offer = await knownOffer(view, name);
    const { refusal, sentence } = await explainStart(view, offer, at.getTime());
    const { timezone } = offer.calendar;
    const json = { appointmentTypeId: offer.type.id, at: at.toISOString(), timezone };
    return {
      json: { ...json, bookable: refusal === null, reason: refusal, sentence },
      text: sentence,
    };
  },
});

const clockChanges = defineCommand<AdminContext>()({
  path: 'admin calendar rehearse',
  summary: 'Show the slots around the next two daylight-saving changes',
  options: { subAccount: subAccountOption, type },
  examples: ['frontdesk admin calendar rehearse --sub-account 0198c0de-… --type checkup-30'],
  context: 'service',
  async run(context, { subAccount: sub, type: name }) {
    const { id } = await liveSubAccount(context, sub);
    const view = context.openView(id, context.clock());
    const offer = await knownOffer(view, name);
    return describeClockChanges(view, offer);
  },
});

const external = defineCommand<AdminContext>()({
  path: 'admin calendar external',
  summary: 'List the external calendars of team members with their last successful fetch and error',
  options: {
    subAccount: subAccountOption,
  },
  examples: ['frontdesk admin calendar external --sub-account 0198c0de-…'],
  context: 'service',
  async run(context, { subAccount }) {
    const { id } = await liveSubAccount(context, subAccount);
    const rows = await findExternal(context.openView(id, context.clock()));
    const table = rows.map(({ member, type, answeredAt, failingSince, lastError, busyTimes }) => {
      return { member, type, answeredAt, busyTimes, failingSince, lastError };
    });
    return { json: rows, table };
  },
});

const feed = defineCommand<AdminContext>()({
  path: 'admin calendar feed',
  summary: 'Print the secret feed URL of a calendar or a team member',
  arguments: ['key'],
  options: {
    subAccount: subAccountOption,
    member: {
      flag: '--member',
      help: 'the key names a team member, even if a calendar has the same key',
    },
    rotate: { flag: '--rotate', help: 'create a new URL first; the old one stops working' },
  },
  examples: [
    'frontdesk admin calendar feed checkup --sub-account 0198c0de-…',
    'frontdesk admin calendar feed anna --sub-account 0198c0de-… --rotate',
  ],
  context: 'service',
  async run(context, { subAccount, key, member = false, rotate = false }) {
    const { id } = await liveSubAccount(context, subAccount);
    const found = await feedOf(context, id, key, member);
    if (rotate) {
      const { ownerId } = found;
      await context.transact(id, context.actor, async (work) => rotateFeed(work, ownerId));
    }
    const { kind, token } = rotate ? await feedOf(context, id, key, member) : found;
    const url = `${baseUrl()}/calendar/${token}.ics`;
    return { json: { key, kind, token, url }, text: url };
  },
});

async function feedOf(
  { openView, clock, secrets }: AdminContext,
  subAccountId: string,
  key: string,
  isMember: boolean,
): Promise<Feed> {
  const feeds = await findFeeds(openView(subAccountId, clock()), secrets);
  const found = feeds.find((one) => one.key === key && (!isMember || one.kind === 'member'));
  return existing(found, isMember ? 'team member' : 'calendar or team member', key);
}

const baseUrl = (): string => baseUrlOf(processEnvironment());

/** Returns the slots of a type around the next clock changes. */
function describeClockChanges({ now }: View, { calendar, type }: Offer) {
  const { timezone, schedule } = calendar;
  const changes = previewClockChanges(schedule, type, now.getTime());
  return {
    json: { timezone, changes: changes.map((change) => jsonOf(change, timezone)) },
    text:
      changes.map((change) => textOf(change, timezone)).join('\n') ||
      `${timezone} has no daylight-saving changes`,
  };
}

const jsonOf = ({ at, jump, dates }: ClockChangePreview, timezone: string) => ({
  at: new Date(at).toISOString(),
  jumpMinutes: jump,
  dates: dates.map(({ date, slots }) => ({
    date,
    slots: slots.map(({ start }) => {
      return { start: new Date(start).toISOString(), local: wallClock(timezone, start) };
    }),
  })),
});

function textOf({ at, jump, dates }: ClockChangePreview, timezone: string): string {
  const way = jump > 0 ? 'forward' : 'back';
  const head = `${wallClock(timezone, at)}: the clocks go ${way} by ${Math.abs(jump)} minutes`;
  const lines = dates.map(({ date, slots }) => {
    const times = slots.map(({ start }) => timeOfDay(timezone, start)).join(' ');
    return `  ${date}  ${times || 'closed'}`;
  });
  return [head, ...lines].join('\n');
}

export const calendarCommands = [explain, clockChanges, feed, external];
