import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startMailServer } from '../../support/mail-server.ts';
import { MAIL, open, start } from '../../support/mailer.ts';

const BRIEF = { connectMs: 500, greetingMs: 200, socketMs: 200, totalMs: 600 };

describe('a server', () => {
  const refuse = (message: string, responseCode: number, only?: string) =>
    start({
      onRcptTo({ address }, _, done) {
        const refused = only === undefined || address === only;
        done(refused ? Object.assign(new Error(message), { responseCode }) : null);
      },
    });

  test('that rejects the recipient is quoted, without the address', async () => {
    const server = await refuse('<ada@example.com> no such user', 550);

    const sent = open(server.url).send(MAIL);

    await expect(sent).rejects.toThrow(/did not accept the mail: .*550 <…@…> no such user/);
    await expect(sent).rejects.not.toThrow(/ada/);
  });

  test('that rejects some recipients has sent the mail, and the log says so', async () => {
    const server = await refuse('bob@example.com is full', 452, 'bob@example.com');
    const mailer = open(server.url);

    expect(await mailer.send({ ...MAIL, to: ['ada@example.com', 'bob@example.com'] })).toBe('sent');

    expect(await server.next(1)).toMatchObject([{ to: ['ada@example.com'] }]);
    expect(mailer.lines).toMatchObject([{ level: 40, recipients: 2, refused: 1 }]);
    expect(JSON.stringify(mailer.lines)).toContain('452 …@… is full');
    expect(JSON.stringify(mailer.lines)).not.toContain('example.com');
  });

  test('that is available again accepts the next mail', async () => {
    let isDown = true;
    const server = await start({
      onMailFrom(_, _session, done) {
        done(isDown ? Object.assign(new Error('later'), { responseCode: 451 }) : null);
      },
    });
    const mailer = open(server.url);
    await expect(mailer.send(MAIL)).rejects.toThrow(/451 later/);
    isDown = false;

    expect(await mailer.send(MAIL)).toBe('sent');
  });

  test('with an untrusted certificate gets no mail', async () => {
    const server = await start({ hideSTARTTLS: false, disabledCommands: [] });

    await expect(open(server.url).send(MAIL)).rejects.toThrow(/certificate/);
    expect(server.mails).toEqual([]);
  });

  test('that is unreachable is an error', async () => {
    const { url, close } = await startMailServer();
    await close();

    await expect(open(url, { timeouts: BRIEF }).send(MAIL)).rejects.toThrow(/ECONNREFUSED/);
  });

  test.each([
    ['never greets', () => undefined],
    ['greets and says no more', (socket: Socket) => void socket.write('220 hello\r\n')],
    ['hangs up on everybody', (socket: Socket) => void socket.destroy()],
    ['answers without end, a line at a time', drip],
  ])('that %s is given up', async (_, answer) => {
    const port = await listen(answer);
    const mailer = open(`smtp://127.0.0.1:${port}`, { timeouts: BRIEF });

    await expect(mailer.send(MAIL)).rejects.toThrow(/did not accept the mail/);
  });
});

async function listen(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => answer(socket.on('error', () => undefined)));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

function drip(socket: Socket): void {
  socket.write('220 hello\r\n');
  const timer = setInterval(() => socket.write('250-more\r\n'), 50);
  socket.on('close', () => clearInterval(timer));
}
