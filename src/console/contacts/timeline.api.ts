import { Type } from 'typebox';
import { defineConsoleEndpoint, memberScope } from '#core/endpoint/console-endpoint.ts';
import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import * as s from '#core/schema/schema.ts';
import { readContact } from '../../contacts/contact.store.ts';
import { readAnswers } from '../../forms/submissions/read-answers.ts';
import { findTimeline, positionOf, TIMELINE_KINDS } from './find-timeline.ts';

/** What happened with a contact. */
export const timelineEndpoints = [
  defineConsoleEndpoint({
    id: 'timeline.list',
    method: 'GET',
    path: '/console/api/v1/contacts/:id/timeline',
    summary: 'List what happened with a contact',
    description:
      'Newest first: messages, internal notes, appointments, opportunities, tasks, form submissions, campaign mails, workflow runs and opt-outs. `at` is when the record was created, or when the mail was sent.',
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
        summary: Type.String({ examples: ['Cleaning'] }),
        status: s.nullable(
          Type.String({
            description: 'the state of the record now; the reason of an opt-out',
            examples: ['confirmed'],
          }),
        ),
        startTime: s.nullable(s.isoTime({ description: 'when an appointment begins' })),
        parent: s.nullable(
          Type.String({
            description:
              'what it belongs to: the conversation of a message or note, the campaign of a mail, the workflow of a run',
          }),
        ),
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

  defineConsoleEndpoint({
    id: 'timeline.submission',
    method: 'GET',
    path: '/console/api/v1/contacts/:id/submissions/:submissionId',
    summary: 'Read what a contact submitted in a form',
    description:
      'The answers in the order of the form, then those of fields that it does not have any more. A file is downloaded from `/console/api/v1/files/{id}`.',
    access: memberScope('contacts:read'),
    rate: 'read',
    params: s.request({ id: s.uuid(), submissionId: s.uuid() }),
    data: s.response({
      id: s.uuid(),
      form: Type.String({ examples: ['Contact us'] }),
      pageUrl: s.nullable(Type.String()),
      createdAt: s.isoTime(),
      answers: Type.Array(
        s.response({
          name: Type.String({ examples: ['note'] }),
          label: Type.String({ examples: ['Your message'] }),
          value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
            description: 'null for a file',
          }),
          file: s.nullable(
            s.response({
              id: s.uuid(),
              name: Type.String({ examples: ['plan.pdf'] }),
              type: Type.String({ examples: ['application/pdf'] }),
              size: Type.Integer({ description: 'in bytes' }),
            }),
          ),
        }),
      ),
    }),
    async read({ view, params: { id: contactId, submissionId } }) {
      await readContact(view, contactId);
      return { data: await readAnswers(view, contactId, submissionId) };
    },
  }),
];
