import type { Options } from 'nodemailer/lib/smtp-connection';
import { withoutAddresses } from '#platform/mail/mailer.ts';

const TIMEOUT_MS = 5_000;

/** Greets a mail server, and logs in where it is said as whom; answers why that failed. */
export async function probeMailServer(
  server: Options | { readonly url: string },
): Promise<string | undefined> {
  const { default: nodemailer } = await import('nodemailer');
  const transport = nodemailer.createTransport({
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
