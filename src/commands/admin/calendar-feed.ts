import { defineCommand } from '#core/command.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { findFeeds, type Feed, rotateFeed } from '../../booking/feeds/feed-addresses.ts';
import type { AdminContext } from '../context.ts';
import { existing } from './answers.ts';
import { liveSubAccount } from './live-sub-account.ts';

const feed = defineCommand<AdminContext>()({
  path: 'admin calendar feed',
  summary: 'Print the secret feed URL of a calendar or a team member',
  arguments: ['key'],
  options: {
    subAccount: { flag: '--sub-account <sub>', help: 'ID of the sub-account', required: true },
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

function baseUrl(): string {
  const { baseUrl: known, port } = readEnvironment(withEnvironmentFile(process.env));
  return (known ?? `http://localhost:${port}`).replace(/\/$/, '');
}

export const calendarFeedCommands = [feed];
