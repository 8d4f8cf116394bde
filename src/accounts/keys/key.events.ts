import { Type } from 'typebox';
import { internalEvent } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';

/** A key was revoked, lost a scope, or its policy forbids more than before. */
export const keyNarrowed = internalEvent({
  name: 'key.narrowed',
  summary: 'a key was revoked or may do less than before',
  data: Type.Object({ keyId: s.uuid() }),
});
