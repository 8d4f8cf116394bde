import { ok, warn, type Check } from './check.ts';

export const publicAddress: Check = {
  name: 'public address',
  async examine({ baseUrl }) {
    return baseUrl === undefined
      ? warn(
          'FRONTDESK_BASE_URL is not set: links in mails lead to localhost, and signatures of providers do not fit',
          'set it to the address that visitors reach',
        )
      : ok(baseUrl);
  },
};
