import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Outbound } from '#core/outbound.ts';
import { startSink } from './https-sink.ts';

/** The connections to one origin that a sub-account may use while others use none. */
export const SHARE = 64;

/** A receiver to which a sub-account uses all connections that it may. `free` ends these requests. */
export async function useConnections(outbound: Outbound, subAccountId: string) {
  const sink = await startSink();
  const hanging: ServerResponse[] = [];
  sink.answer = ({ url }, response) => {
    if (url === '/hang') {
      hanging.push(response);
    } else {
      response.end('ok');
    }
  };
  const sent = Array.from({ length: SHARE }, () =>
    outbound.send({
      subAccountId,
      url: `${sink.url}/hang`,
      method: 'GET',
      headers: {},
      timeoutMs: 600_000,
      readMaxBytes: 10,
      isRepeatable: true,
    }),
  );
  await sink.next(SHARE);
  onTestFinished(() => sink.close());
  const free = async () => {
    hanging.forEach((response) => response.end());
    await Promise.all(sent);
  };
  return { sink, free };
}
