import { issuesOf } from '#core/schema/check.ts';
import { notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';

const id = s.uuid();

/** Of a public call, however it is written; whether it is there, whoever reads of it finds out. */
export function namedSubAccount(given: string): string {
  if (!isId(given)) {
    throw notFound('sub-account');
  }
  return given.toLowerCase();
}

export const isId = (text: string | undefined): text is string =>
  text !== undefined && issuesOf(id, text).length === 0;
