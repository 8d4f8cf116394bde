import { probeMailServer } from './probe-mail-server.ts';
import { fail, ok, warn, type Check } from './check.ts';

/** The installation's own way to write to admins. */
export const mail: Check = {
  name: 'mail to admins',
  async examine({ smtpUrl, mailFrom }) {
    if (smtpUrl === undefined || mailFrom === undefined) {
      return warn(
        'FRONTDESK_SMTP_URL and FRONTDESK_MAIL_FROM are not both set: such mail is logged',
        'set both',
      );
    }
    const failure = await probeMailServer({ url: smtpUrl });
    const { host } = new URL(smtpUrl);
    return failure === undefined
      ? ok(`${host} answers`)
      : fail(`${host}: ${failure}`, 'fix FRONTDESK_SMTP_URL, or the route to that server');
  },
};
