import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { DAY_MS } from '#lib/duration.ts';

const PATIENCE_MS = 5_000;

interface Reached {
  /** Of the certificate; undefined without TLS. */
  readonly daysLeft: number | undefined;
}

/** Asks the server behind an address for a sign of life, as a visitor would. */
export function probeAddress(baseUrl: string): Promise<Reached | { readonly failure: string }> {
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/healthz`);
  const get = url.protocol === 'https:' ? getSecurely : getPlain;
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    // A connection of its own: its certificate is asked for.
    const request = get(url, { agent: false, signal }, (answer) => {
      answer.resume();
      const { statusCode } = answer;
      resolve(
        statusCode === 200
          ? { daysLeft: daysLeftOf(answer) }
          : { failure: `/healthz answers ${statusCode}` },
      );
    });
    request.on('error', (error) => {
      resolve({ failure: signal.aborted ? 'no answer in time' : error.message || String(error) });
    });
  });
}

function daysLeftOf({ socket }: IncomingMessage): number | undefined {
  const ends = (socket as Partial<TLSSocket>).getPeerCertificate?.().valid_to;
  return ends === undefined ? undefined : (Date.parse(ends) - Date.now()) / DAY_MS;
}
