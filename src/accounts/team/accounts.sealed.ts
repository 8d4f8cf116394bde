import type { Sealed } from '#core/secrets.ts';

/** Without its password, an external calendar cannot be read until the manifest is applied again. */
export const sealedPasswords: Sealed = {
  columns: ['team_members.external_password'],
  async leaveOut({ rows }) {
    const members = await rows<{ key: string }>(LEAVE_OUT);
    return members.map(({ key }) => `the password of the external calendar of ${key}`);
  },
};

const LEAVE_OUT = `update incoming_team_members set external_password = null
  where external_password is not null returning key`;
