import type { mailOf } from '../mail/mail-of.ts';

/** A mail in full, as a mail server would get it. */
export async function composeMail(mail: ReturnType<typeof mailOf>): Promise<Buffer> {
  // Loaded with the first mail: no command but the worker sends any.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await transport.sendMail(mail);
  return message as Buffer;
}
