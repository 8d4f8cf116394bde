import { Fault } from '#core/fault.ts';
import { serveThread } from '#platform/process/guarded-thread.ts';
import { explainMail, type ExplainedMail, type MailSettings } from './parse-mail.ts';

export interface MailToParse {
  readonly raw: Uint8Array;
  readonly settings: MailSettings;
}

export type ParsedMail =
  | { readonly mail: ExplainedMail }
  | { readonly refusal: { readonly message: string; readonly details: object | undefined } };

/** Runs in its own thread, which is terminated if a mail takes too long to parse. */
serveThread(async ({ raw, settings }: MailToParse): Promise<ParsedMail> => {
  try {
    return { mail: await explainMail(Buffer.from(raw), { settings }) };
  } catch (error) {
    if (!(error instanceof Fault)) {
      throw error;
    }
    const { message, details } = error;
    return { refusal: { message, details } };
  }
});
