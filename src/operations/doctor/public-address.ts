import { counted } from '#lib/counted.ts';
import { fail, ok, warn, type Check } from './check.ts';
import { probeAddress } from './probe-address.ts';

const DAYS_WARN = 14;

/** Whether visitors reach us where links lead, and for how long the certificate still holds. */
export const publicAddress: Check = {
  name: 'public address',
  async examine({ baseUrl }) {
    if (baseUrl === undefined) {
      return warn(
        'FRONTDESK_BASE_URL is not set: links in mails point to localhost, and provider signatures (Twilio, Meta) will not verify',
        'set it to the address that visitors reach',
      );
    }
    const found = await probeAddress(baseUrl);
    if ('failure' in found) {
      return warn(
        `${baseUrl} is not reached from here: ${found.failure}`,
        'see that the server runs, that the name leads to its proxy, and that the certificate is for the name; a machine that may not reach its own public address can say so wrongly',
      );
    }
    const { daysLeft } = found;
    if (daysLeft !== undefined && daysLeft < DAYS_WARN) {
      const message = `the certificate of ${baseUrl} expires in ${counted(Math.floor(daysLeft), 'day')}`;
      const fix = 'see why the proxy did not renew it';
      return daysLeft < 1 ? fail(message, fix) : warn(message, fix);
    }
    const rest =
      daysLeft === undefined
        ? ''
        : `, its certificate is valid for ${counted(Math.floor(daysLeft), 'more day', 'more days')}`;
    return ok(`${baseUrl} answers${rest}`);
  },
};
