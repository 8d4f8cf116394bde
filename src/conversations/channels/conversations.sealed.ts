import type { Sealed } from '#core/secrets.ts';

/** A channel without its credentials is deleted, as if it had not been set up. */
export const sealedCredentials: Sealed = {
  columns: ['channels.secrets'],
  async leaveOut({ rows }) {
    const channels = await rows<{ channel: string; provider: string }>(LEAVE_OUT);
    return channels.map(({ channel, provider }) => `the channel ${channel} (${provider})`);
  },
};

const LEAVE_OUT = `
  with gone as (
    delete from incoming_channels where secrets is not null returning id, channel, provider
  ), unread as (
    delete from incoming_mailboxes m using gone where m.id = gone.id
  )
  select channel, provider from gone order by channel`;
