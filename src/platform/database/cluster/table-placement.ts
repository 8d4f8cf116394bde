/** The column that tables are distributed by. */
export const DISTRIBUTION_COLUMN = 'sub_account_id';

/** Tables that every node has as a whole, and why. A change needs all nodes, so they are few. */
export const REFERENCE_TABLES: ReadonlyMap<string, string> = new Map([
  [
    'sub_accounts',
    'every other table refers to it, and `locationId` is unique in the installation',
  ],
  ['users', 'memberships refer to it, and an address is unique in the installation'],
  ['user_pictures', 'messages of chats are read with the pictures of those who wrote them'],
]);

/** Tables on the coordinator only, and why. */
export const COORDINATOR_TABLES: ReadonlyMap<string, string> = new Map([
  ['api_keys', 'a key is found by its hash before its sub-account is known'],
  ['sign_in_links', 'a link is found by its hash'],
  ['user_sessions', 'a session is found by its hash'],
  ['passkeys', 'a passkey is found by the id that its device gave it'],
  ['holding', 'one row for the installation'],
  ['installation', 'one row for the installation'],
  ['migrations', 'the steps of the schema'],
  ['process_samples', 'what the processes of the installation did, by minute'],
  ['processes', 'the running processes of the installation'],
  ['schedule_ticks', 'the periodic jobs of the installation'],
  ['rate_windows', 'requests are counted before the sub-account is known'],
]);

/**
 * Functions that statements call alone, and whose first argument is a sub-account: its node runs them as a
 * whole, in one round trip instead of one for each of their statements.
 */
export const FUNCTIONS_OF_NODES: readonly string[] = ['record_attempts'];

/** Tables that belong to no sub-account; all others are distributed. */
export const isUndistributed = (table: string): boolean =>
  REFERENCE_TABLES.has(table) || COORDINATOR_TABLES.has(table);
