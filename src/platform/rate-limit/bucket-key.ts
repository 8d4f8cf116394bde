import { createHash } from 'node:crypto';

const STORABLE = /^[\x21-\x7e]{1,160}$/;

/**
 * The bucket's name as every store can hold it. Names carry what callers send (a slug out of a
 * path): PostgreSQL takes no NUL and no index entry above 2,704 bytes, and one name it refuses
 * would fail everybody who shares the batch.
 */
export const bucketKey = (bucket: string): string =>
  STORABLE.test(bucket) ? bucket : `sha256:${createHash('sha256').update(bucket).digest('hex')}`;
