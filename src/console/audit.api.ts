import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import * as s from '#core/schema/schema.ts';
import { findAudit } from '../accounts/audit/find-audit.ts';
import { withNames } from './audit-names.ts';

const filter = Type.Optional(Type.String({ minLength: 1, maxLength: 300 }));

/** The audit trail of the sub-account. */
export const auditEndpoints = [
  defineConsoleEndpoint({
    id: 'audit.list',
    method: 'GET',
    path: '/console/api/v1/audit',
    summary: 'List who changed what',
    description:
      'Newest first. `contact` is null unless the record is a contact. `changes` has the old and new values of the fields of one record. `actor` is the email address of a user, the id of a key, an operating-system user or the name of a job.',
    access: memberRole('admin'),
    rate: 'read',
    paged: true,
    query: s.request({
      ...pageQuery,
      actor: filter,
      recordId: filter,
      until: Type.Optional(s.isoTime({ description: 'only changes before this time' })),
    }),
    data: Type.Array(
      s.response({
        id: s.uuid(),
        at: s.isoTime(),
        operation: Type.String({ examples: ['contacts.update'] }),
        actorKind: s.oneOf(['key', 'agent', 'user', 'cli', 'job', 'provider', 'visitor']),
        actor: Type.String({ examples: ['ada@example.com'] }),
        keyPrefix: s.nullable(Type.String()),
        client: s.nullable(
          Type.String({ description: 'the program of an agent, as it names itself' }),
        ),
        requestId: Type.String(),
        recordId: Type.String(),
        contact: s.nullable(
          s.response({
            name: Type.String({
              description: 'of an erased contact `[erased]`',
              examples: ['Ada Lovelace'],
            }),
            isDeleted: Type.Boolean(),
          }),
        ),
        recordName: s.nullable(
          Type.String({
            description: 'of an appointment, a campaign, an opportunity or a task, deleted or not',
            examples: ['Call Ada'],
          }),
        ),
        subAccountId: s.nullable(s.uuid()),
        changes: s.nullable(
          Type.Record(
            Type.String(),
            s.response({
              from: Type.Unknown({ description: 'secrets are masked, long values cut' }),
              to: Type.Unknown(),
            }),
            { description: 'by field; null where the change was not of one record' },
          ),
        ),
      }),
    ),
    async read({ view, query, after }) {
      const size = pageSize(query);
      const rows = await findAudit(view, {
        subAccountId: view.subAccountId,
        actor: query.actor,
        recordId: query.recordId?.toLowerCase(),
        until: query.until === undefined ? undefined : new Date(query.until),
        before: after,
        limit: size + 1,
      });
      const page = rows.slice(0, size);
      const data = await withNames(view, page);
      return { data, next: rows.length > size ? (page.at(-1)?.id ?? null) : null };
    },
  }),
];
