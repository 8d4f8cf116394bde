import { Type } from 'typebox';
import { defineConsoleEndpoint, memberScope } from '#core/endpoint/console-endpoint.ts';
import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import * as s from '#core/schema/schema.ts';
import { readContact } from '../contacts/contact.store.ts';
import { findTimeline, positionOf, TIMELINE_KINDS } from './find-timeline.ts';

/** What happened with a contact. */
export const timelineEndpoints = [
  defineConsoleEndpoint({
    id: 'timeline.list',
    method: 'GET',
    path: '/console/api/v1/contacts/:id/timeline',
    summary: 'List what happened with a contact',
    description:
      'Newest first: messages, appointments, opportunities, tasks, form submissions, campaign mails, workflow runs and opt-outs. `at` is when the record was created, or when the mail was sent.',
    access: memberScope('contacts:read'),
    rate: 'read',
    paged: true,
    params: s.request({ id: s.uuid() }),
    query: s.request(pageQuery),
    data: Type.Array(
      s.response({
        kind: s.oneOf(TIMELINE_KINDS),
        id: s.uuid(),
        at: s.isoTime(),
        summary: Type.String({ examples: ['Cleaning · confirmed'] }),
      }),
    ),
    async read({ view, params: { id: contactId }, query, after }) {
      await readContact(view, contactId);
      const size = pageSize(query);
      const rows = await findTimeline(view, { contactId, after, limit: size + 1 });
      const page = rows.slice(0, size);
      const last = page.at(-1);
      return { data: page, next: rows.length > size && last ? positionOf(last) : null };
    },
  }),
];
