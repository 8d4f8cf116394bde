import type { IncomingMessage } from 'node:http';
import type { Fault, Issue } from '#core/fault.ts';
import type { Logger } from '../config/logger.ts';
import type { AllowList } from '../outbound/guard.ts';
import { visitorAddress } from './visitor-address.ts';

/** One request as its log line describes it. */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** The pattern, not the path: paths contain ids. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly keyId?: string | undefined;
  readonly keyPrefix?: string | undefined;
  readonly subAccountId?: string | undefined;
  readonly address?: string | undefined;
}

/** Probes and programs that poll would fill the log with lines that say nothing. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics', '/api/v1/events', '/api/chat/messages']);

/** Writes the one line of a request; a refusal adds its code and its first issue. */
export function logRequest(requests: Logger, line: RequestLine, fault: Fault | undefined): void {
  const isQuiet = fault === undefined && line.method === 'GET' && QUIET.has(line.route);
  const entry = fault ? { ...line, code: fault.code, reason: reasonOf(fault) } : line;
  if (isQuiet) {
    requests.debug(entry, 'request');
  } else {
    requests.info(entry, 'request');
  }
}

function reasonOf({ message, details }: Fault): string {
  const { issues = [] } = (details ?? {}) as { readonly issues?: readonly Issue[] };
  const [first] = issues;
  return first ? `${first.in}${first.path} ${first.message}` : message;
}

/** Class and first characters, as lists show them: what comes after is secret. */
const SHOWN_KEY = /^Bearer (sk_(?:agency_)?(?:live|test)_[\dA-Za-z]{4})/i;

/** Who called, as far as the request says it before anything is checked. */
export const callerOf = (node: IncomingMessage, proxies: AllowList) => ({
  address: visitorAddress(node, proxies),
  keyPrefix: SHOWN_KEY.exec(node.headers.authorization ?? '')?.[1],
});
