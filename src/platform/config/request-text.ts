interface RequestEntry {
  readonly time: number;
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly code?: string;
  readonly reason?: string;
  readonly keyPrefix?: string;
  readonly address?: string;
}

type LogLine = Readonly<Record<string, unknown>>;

export const isRequestLine = (line: LogLine): line is LogLine & RequestEntry =>
  line['msg'] === 'request' && typeof line['route'] === 'string';

/** `14:14:19 POST /api/v1/contacts 400 5 ms VALIDATION_ERROR body/name is required …` */
export function requestText(entry: RequestEntry): string {
  const { time, method, route, status, ms, code, reason, keyPrefix, address, requestId } = entry;
  const at = new Date(time).toTimeString().slice(0, 8);
  const refusal = code === undefined ? undefined : `${code}: ${reason}`;
  return [
    at,
    method,
    route,
    status,
    `${Math.round(ms)} ms`,
    refusal,
    keyPrefix && `key ${keyPrefix}…`,
    address && `from ${address}`,
    `request ${requestId}`,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
    .replaceAll(/\p{Cc}/gu, ' ');
}
