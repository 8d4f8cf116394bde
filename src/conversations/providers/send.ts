import { sendViaBridge } from './bridge/send.ts';
import { sendViaGmail } from './gmail/send.ts';
import { stripInvalidText } from './json-access.ts';
import { sendViaMeta } from './meta/send.ts';
import type { Provider } from './provider.ts';
import { sendBySmtp } from './smtp/send.ts';
import { sendViaTwilio } from './twilio/send.ts';

/** Where there is no such provider, as in a release that was gone back to, that is the outcome. */
export const sendVia: Provider = async (setup, message, context) => {
  const outcome = await (PROVIDERS[setup.provider] ?? unknown)(setup, message, context);
  const { result } = outcome;
  return result === 'taken'
    ? outcome
    : {
        ...outcome,
        errorCode: brief(outcome.errorCode),
        errorMessage: brief(outcome.errorMessage),
      };
};

const SAID_MAX = 998;

/** Peers say anything, at any length. */
const brief = (said: string): string => stripInvalidText(said).slice(0, SAID_MAX);

const PROVIDERS: Readonly<Record<string, Provider>> = {
  http: sendViaBridge,
  smtp: sendBySmtp,
  gmail: sendViaGmail,
  twilio: sendViaTwilio,
  meta: sendViaMeta,
};

const unknown: Provider = ({ provider }) =>
  Promise.resolve({
    result: 'refused',
    errorCode: 'unknown_provider',
    errorMessage: `there is no provider ${provider}`,
  });
