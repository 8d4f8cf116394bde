import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Mail } from '#core/tools.ts';
import { openMailer, type MailerOptions } from '#platform/mail/mailer.ts';
import { startMailServer, type MailServer } from './mail-server.ts';

export const MAIL: Mail = {
  to: ['ada@example.com'],
  subject: 'Look here',
  text: 'Something broke.',
};
export const FROM = 'Frontdesk <desk@example.com>';

/** Starts a mail server for the duration of the test. */
export async function start(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options);
  onTestFinished(server.close);
  return server;
}

/** Opens a mailer for the duration of the test, and records its log. */
export function open(smtpUrl: string | undefined, options: Partial<MailerOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const mailer = openMailer({ smtpUrl, mailFrom: FROM, log, ...options });
  onTestFinished(mailer.close);
  return { ...mailer, lines };
}
