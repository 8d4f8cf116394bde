import { sendViaBridge } from './bridge/send.ts';
import { sendViaGmail } from './gmail/send.ts';
import { stripInvalidText } from './json-access.ts';
import { sendViaMeta } from './meta/send.ts';
import type { Provider } from './provider.ts';
import { sendBySmtp } from './smtp/send.ts';
import { sendViaTwilio } from './twilio/send.ts';

/** Sends a message by its provider. Refuses the message if a later release added the provider. */
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

const TEXT_MAX = 998;

/** Providers may send texts of any length and content. */
const brief = (text: string): string => stripInvalidText(text).slice(0, TEXT_MAX);

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
    errorMessage: `unknown provider ${provider}`,
  });
