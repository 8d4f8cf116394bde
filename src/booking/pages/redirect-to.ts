import type { Reply } from '#core/endpoint/reply.ts';
import { PAGE_HEADERS } from './layout.ts';

/** A form is answered with where its outcome stands, so that reloading that sends nothing again. */
export const redirectTo = (location: string): Reply => ({
  status: 303,
  data: null,
  document: {
    type: 'text/html; charset=utf-8',
    body: '',
    headers: { ...PAGE_HEADERS, location },
  },
});
