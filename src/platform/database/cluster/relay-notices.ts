import type { ClientBase, Pool } from 'pg';

const CHANNEL = 'frontdesk_changes';
const PREFIX = `${CHANNEL} `;
/** One notification per topic, through the coordinator, to which all processes listen. */
const NOTIFY = `select pg_notify('${CHANNEL}', topic) from unnest($1::text[]) as topic`;

/** The topics that a connection's statements announced and that are not passed on yet. */
const topicsByClient = new WeakMap<ClientBase, Set<string>>();

/**
 * Collects what triggers announce on the nodes of a cluster, where NOTIFY reaches no listener: the function
 * `announce` of a cluster sends a notice with the result of the statement instead.
 */
export function collectAnnouncements(pool: Pool): void {
  pool.on('connect', collectAnnouncementsOf);
  // After statements that no other call here follows.
  pool.on('release', (failure, client) => {
    const topics = takeAnnouncements(client);
    if (topics && !failure) {
      void pool.query(NOTIFY, [topics]).catch(() => undefined);
    }
  });
}

/** The same for one connection; its owner passes them on before the transaction ends. */
export function collectAnnouncementsOf(client: ClientBase): void {
  client.on('notice', ({ message }) => {
    if (message?.startsWith(PREFIX)) {
      const topics = topicsByClient.get(client) ?? new Set();
      topicsByClient.set(client, topics.add(message.slice(PREFIX.length)));
    }
  });
}

/** Passes on what was announced; inside a transaction it takes effect when that is committed. */
export async function passOnAnnouncements(client: ClientBase): Promise<void> {
  const topics = takeAnnouncements(client);
  if (topics) {
    await client.query(NOTIFY, [topics]);
  }
}

/** Forgets what a transaction announced that was rolled back. */
export const dropAnnouncements = (client: ClientBase): void => void topicsByClient.delete(client);

function takeAnnouncements(client: ClientBase): string[] | undefined {
  const topics = topicsByClient.get(client);
  if (topics) {
    topicsByClient.delete(client);
  }
  return topics && [...topics];
}
