import { createTransport } from 'nodemailer';
import type { Options } from 'nodemailer/lib/smtp-connection';
import { withoutAddresses } from '#platform/mail/mailer.ts';
import { fail, ok, warn, type Check } from '../check.ts';

/** Checks the mail server for mails to admins. */
export const mail: Check = {
  name: 'mail to admins',
  async examine({ smtpUrl, mailFrom }) {
    if (smtpUrl === undefined || mailFrom === undefined) {
      return warn(
        'mails to admins are only logged: FRONTDESK_SMTP_URL and FRONTDESK_MAIL_FROM are not both set',
        'set both variables, for the server and wherever you run frontdesk doctor',
      );
    }
    const failure = await probeMailServer({ url: smtpUrl });
    const { host } = new URL(smtpUrl);
    return failure === undefined
      ? ok(`${host} responds`)
      : fail(`${host}: ${failure}`, 'fix FRONTDESK_SMTP_URL, or the route to that server');
  },
};

const TIMEOUT_MS = 5_000;

/** Connects to a mail server, and logs in if credentials are given. Returns why that failed. */
export async function probeMailServer(
  server: Options | { readonly url: string },
): Promise<string | undefined> {
  const transport = createTransport({
    ...server,
    dnsTimeout: TIMEOUT_MS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return withoutAddresses((error as Error).message);
  } finally {
    transport.close();
  }
}
