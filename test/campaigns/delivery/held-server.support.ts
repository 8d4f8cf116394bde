import type { Readable } from 'node:stream';
import type { SMTPServerSession } from 'smtp-server';
import { mailServer } from '../../conversations/sending.support.ts';

/** Starts a mail server that receives mails and does not reply until it is released. */
export async function startHeldServer() {
  const begun: string[] = [];
  const held: (() => void)[] = [];
  let isHeld = true;
  const server = await mailServer({
    onData(stream: Readable, { envelope }: SMTPServerSession, done: () => void) {
      begun.push(...envelope.rcptTo.map(({ address }) => address));
      stream.resume().on('end', () => (isHeld ? held.push(done) : done()));
    },
  });
  return {
    port: server.port,
    begun,
    release() {
      isHeld = false;
      held.splice(0).forEach((done) => done());
    },
  };
}
