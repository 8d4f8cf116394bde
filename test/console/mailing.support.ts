import type { JobContext } from '#core/job.ts';
import type { Mail } from '#core/tools.ts';
import type { TestService } from '../support/service.ts';

/** A context of jobs that keeps the mails instead of sending them. */
export function mailing(service: TestService) {
  const mails: Mail[] = [];
  const send = async (mail: Mail) => {
    mails.push(mail);
    return 'sent' as const;
  };
  const context = {
    ...service,
    settings: { baseUrl: service.url },
    tools: { ...service.tools, mailer: { isSetUp: true, send } },
  };
  return { mails, context: context as unknown as JobContext };
}

/** Returns the token of the link in a mail. */
export const tokenIn = ({ text }: Mail): string => /#([\w-]+)/.exec(text)?.[1] ?? '';
