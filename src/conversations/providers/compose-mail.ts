import type { mailOf } from '../mailbox/mail-of.ts';

interface ComposedMail {
  readonly envelope: { readonly from: string; readonly to: string };
  /** Headers and body, as a mail server gets them. */
  readonly mail: Buffer;
  readonly messageId: string;
}

/** Builds the complete mail (MIME). */
export async function composeMail(parts: ReturnType<typeof mailOf>): Promise<ComposedMail> {
  // Loaded with the first mail: only the worker sends any.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message, envelope } = await transport.sendMail(parts);
  return {
    envelope: { from: envelope.from || '', to: envelope.to[0] ?? '' },
    mail: message as Buffer,
    messageId: parts.messageId,
  };
}
