import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import { explainWhy, WHY_KINDS, whyKinds } from './explain-why.ts';
import { WHY_LANGUAGES } from './language.ts';

const NAME_MAX = 200;
const id = Type.Optional(s.uuid());
const name = Type.Optional(Type.String({ minLength: 1, maxLength: NAME_MAX }));

const needs = whyKinds
  .map(({ kind, summary, needs: sets }) => {
    const members = sets.map((set) => set.map((one) => `\`${one}\``).join(' and ')).join(', or ');
    return `\`${kind}\`: ${summary} (${members})`;
  })
  .join('; ');

const span = { from: s.epochMs(), until: s.epochMs() };
const minutes = Type.Optional(Type.Integer({ description: 'in minutes' }));

/** The figures of the sentence, of a refused start. */
const slotFacts = s.response({
  noticeMinutes: minutes,
  advanceDays: Type.Optional(Type.Integer({ description: 'in days' })),
  stepMinutes: minutes,
  busy: Type.Optional(
    Type.Array(
      s.response({
        name: Type.String(),
        ...span,
        heldUntil: Type.Optional(
          s.epochMs({ description: 'set if the waiting list holds the time: when it ends' }),
        ),
      }),
    ),
  ),
  needed: Type.Optional(s.response(span)),
});

/** Why something did not happen. */
export const whyEndpoints = [
  defineConsoleEndpoint({
    id: 'why.get',
    method: 'GET',
    path: '/console/api/v1/why',
    summary: 'Explain why something did not happen',
    description: `Each reason names the rule, the record and the moment. A kind needs what its records need: an agent may not ask about a campaign. Kinds: ${needs}.`,
    access: memberRole('integrator'),
    rate: 'read',
    query: s.request({
      kind: s.oneOf(WHY_KINDS),
      id,
      type: name,
      start: Type.Optional(s.isoTime()),
      assignedTo: id,
      conversationId: id,
      eventId: id,
      subscriptionId: id,
      workflow: name,
      campaignId: id,
      contactId: id,
      language: Type.Optional(
        s.oneOf(WHY_LANGUAGES, {
          default: 'en',
          description: 'of the sentences; those of `slot` are in English',
        }),
      ),
    }),
    data: s.response({
      kind: s.oneOf(WHY_KINDS),
      happened: Type.Boolean({ description: 'whether it happened after all, or can' }),
      reasons: Type.Array(
        s.response({
          rule: Type.String({ examples: ['opted_out'] }),
          sentence: Type.String({ examples: ['The calendar has no reminders.'] }),
          record: s.nullable(
            s.response({ type: Type.String({ examples: ['contact'] }), id: Type.String() }),
          ),
          at: s.nullable(s.isoTime()),
          facts: Type.Optional(slotFacts),
        }),
      ),
    }),
    read: async ({ view, query, caller }) => ({
      data: await explainWhy(view, { ...query, role: caller.role ?? 'integrator' }),
    }),
  }),
];
