import { createServer } from 'node:net';
import { Fault } from '#core/fault.ts';
import type { Address } from './listen.ts';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; use --port N or FRONTDESK_PORT',
  EACCES: 'this user may not open that port; use --port N with N from 1024',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'that host name is not known',
};

/** Why nothing could listen at an address, found out by trying; undefined where it would work. */
export function cannotListen({ host, port }: Address): Promise<Fault | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      const text = `cannot listen on ${host}, port ${port}: ${REASONS[code] ?? message}`;
      resolve(new Fault('SERVICE_UNAVAILABLE', text));
    });
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}
