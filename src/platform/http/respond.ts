import { FastResponse } from 'srvx';
import type { Logger } from '../logger.ts';
import type { Answered } from './answer.ts';
import { baseHeaders, type Headers } from './headers.ts';
import { errorText, faultOf } from './refusal.ts';

/** One request on its way through: what every answer to it carries, and what its log line says. */
export interface Exchange {
  readonly requestId: string;
  readonly headers: Headers;
  keyId?: string;
  subAccountId?: string;
}

export interface Logs {
  readonly log: Logger;
  /** Of one line per request: nothing private stands in it, and looking for it would cost 10 µs. */
  readonly requests: Logger;
}

export const logsOf = (log: Logger): Logs => ({ log, requests: log.child({}, { redact: [] }) });

interface Asked {
  readonly method: string;
  /** The pattern, not the path: paths hold ids. */
  readonly route: string;
}

/** The funnel: whatever `answer` returns or throws leaves whole, with every header. Never rejects. */
export async function respond(
  { log, requests }: Logs,
  { method, route }: Asked,
  answer: (exchange: Exchange) => Answered | Promise<Answered>,
): Promise<Response> {
  const started = performance.now();
  const requestId = crypto.randomUUID();
  const exchange: Exchange = { requestId, headers: baseHeaders(requestId) };
  const { headers } = exchange;
  let status: number;
  let text: string;
  try {
    const answered = await answer(exchange);
    ({ status, text } = answered);
    if (answered.replayed) {
      headers['idempotent-replayed'] = 'true';
    }
  } catch (error) {
    const fault = faultOf(error, log, requestId);
    ({ status } = fault);
    text = errorText(fault);
    Object.assign(headers, fault.headers);
  }
  // Bytes, not text: node:http would reserve three times its length to send it behind the headers.
  const body = Buffer.from(text);
  headers['content-length'] = String(body.length);
  const ms = Math.round((performance.now() - started) * 10) / 10;
  const { keyId, subAccountId } = exchange;
  requests.info({ requestId, method, route, status, ms, keyId, subAccountId }, 'request');
  return new FastResponse(body, { status, headers });
}
