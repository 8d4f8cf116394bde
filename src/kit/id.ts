import { V7Generator } from 'uuidv7';

const generator = new V7Generator();

/**
 * A UUIDv7. Ids sort by creation, also those made within one millisecond of one process, so the
 * primary key is the index that lists are read from.
 */
export const newId = (now: Date): string =>
  generator.generateOrResetCore(now.getTime(), ROLLBACK_ALLOWANCE_MS).toString();

const ROLLBACK_ALLOWANCE_MS = 10_000;

/** Stands for no sub-account: what the agency as a whole does. */
export const AGENCY = '00000000-0000-0000-0000-000000000000';
