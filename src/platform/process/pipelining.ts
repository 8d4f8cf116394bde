import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How many requests a client may send on a connection before it gets the first response. Browsers and
 * common HTTP clients send one.
 */
export const PIPELINED_MAX = 32;

/**
 * Wraps a request listener: a connection with more requests than `PIPELINED_MAX` is destroyed, and
 * the excess is not handled. Node reads up to 64 KiB of a connection at a time and starts all requests in
 * it, a thousand and more, before other connections get their turn.
 */
export function limitPipelining(handle: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > PIPELINED_MAX) {
      stopParsing(socket);
      socket.destroy();
      return;
    }
    response.once('finish', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    handle(request, response);
  };
}

interface Parser {
  /** Called for each request that was read. 2 means that the rest is another protocol: parsing ends. */
  onIncoming: () => number;
}

const OTHER_PROTOCOL = 2;

/**
 * Leaves the rest of what was read. Node would parse all of it although the socket is destroyed, and then
 * make two errors with stack traces for each request: 40 ms for 64 KiB.
 */
function stopParsing({ parser }: Socket & { readonly parser?: Parser | null }): void {
  if (parser) {
    parser.onIncoming = () => OTHER_PROTOCOL;
  }
}
