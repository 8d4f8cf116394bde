import { sleep } from '#lib/abort.ts';
import { Client } from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;
const GOODBYE_MS = 500;

/** A connection that only listens. */
export interface NoticeConnection {
  /** Aborted once the connection is gone. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

interface Listening {
  readonly onNotice: (payload: string) => void;
  /** Called once when the connection breaks; not when it is closed. */
  readonly onLost: (why: string) => void;
}

export async function openNoticeConnection(
  url: string,
  channel: string,
  { onNotice, onLost }: Listening,
): Promise<NoticeConnection> {
  const client = new Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'frontdesk listen',
  });
  const lost = new AbortController();
  let closed = false;
  const lose = (why: string) => {
    if (!closed && !lost.signal.aborted) {
      lost.abort();
      onLost(why);
    }
  };
  client.on('notification', ({ payload }) => {
    if (!closed) {
      onNotice(payload ?? '');
    }
  });
  client.on('error', (error) => lose(error.message));
  client.on('end', () => lose('connection ended'));

  const close = async () => {
    closed = true;
    const goodbye = client.end().catch(() => undefined);
    await Promise.race([goodbye, sleep(GOODBYE_MS, undefined, { ref: false })]);
    // A dead peer never confirms the end.
    client.connection.stream.destroy();
  };
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
  } catch (error) {
    await close();
    throw error;
  }
  return { lost: lost.signal, close };
}
