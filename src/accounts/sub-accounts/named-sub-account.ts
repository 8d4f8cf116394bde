import { issuesOf } from '#core/schema/check.ts';
import { notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';

const id = s.uuid();

/** Returns the sub-account id of a public call in lower case; does not check that it exists. */
export function namedSubAccount(text: string): string {
  if (!isId(text)) {
    throw notFound('sub-account');
  }
  return text.toLowerCase();
}

export const isId = (text: string | undefined): text is string =>
  text !== undefined && issuesOf(id, text).length === 0;
