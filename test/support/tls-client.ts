import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request, type Agent } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { text } from 'node:stream/consumers';

interface SecureRequest {
  /** The certificate that the client trusts, as PEM. */
  readonly ca: string;
  /** By default each request has a connection of its own. */
  readonly agent?: Agent | false;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SecureAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
  /** The serial number of the server's certificate. */
  readonly serial: string;
  /** The connection had served a request before. */
  readonly isReused: boolean;
}

/** Sends a GET over TLS; rejects unless the server's certificate is the trusted one. */
export async function secureGet(
  url: string,
  { ca, agent = false, headers = {} }: SecureRequest,
): Promise<SecureAnswer> {
  const sent = request(url, { ca, agent, headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const serial = (answer.socket as TLSSocket).getPeerCertificate().serialNumber;
  return {
    status: answer.statusCode ?? 0,
    text: await text(answer),
    headers: answer.headers,
    serial,
    isReused: sent.reusedSocket,
  };
}
