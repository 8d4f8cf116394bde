import type { AdmittedCall } from '#core/endpoint/route.ts';
import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { prepareMove } from '../../appointments/refresh-before-booking.ts';
import { choiceQuery, daysShown, type Choice } from '../choice.ts';
import { errorPage } from '../layout.ts';
import { keptChoice, managedBy, managedIcs, submitCancel, submitMove } from './managed.ts';
import { showManaged } from './show-managed.ts';
import { showMove } from './show-move.ts';

/** Part of the address that the page redirects to. */
const field = Type.Optional(Type.String({ maxLength: 100 }));

type TokenCall<Q = unknown> = AdmittedCall<{ readonly token: string }, Q, unknown>;

const params = s.request({ token: Type.String({ minLength: 1, maxLength: 200 }) });
const ownerOf = async ({ params, tools }: Pick<TokenCall, 'params' | 'tools'>) =>
  managedBy(tools.secrets, params.token).subAccountId;

/** Shared by the pages that a visitor only looks at, with their clock and time zone. */
const shownBy = (show: typeof showManaged) => ({
  params,
  query: choiceQuery,
  error: errorPage,
  owner: ownerOf,
  async read(call: TokenCall<Choice> & { readonly view: View }) {
    const {
      view,
      params: { token },
      query: choice,
      tools: { secrets },
      baseUrl,
    } = call;
    return { data: null, document: await show(view, { secrets, token, choice, baseUrl }) };
  },
});

/** Pages behind an appointment's secret link, which is the only proof they require. */
export const managePages = [
  definePageEndpoint({
    id: 'manage-page.show',
    method: 'GET',
    path: '/book/manage/:token',
    summary: 'The page of an appointment',
    limit: 'availability',
    ...shownBy(showManaged),
  }),

  definePageEndpoint({
    id: 'manage-page.ics',
    method: 'GET',
    path: '/book/manage/:token/appointment.ics',
    summary: 'The appointment as an iCalendar file',
    limit: 'availability',
    params,
    error: errorPage,
    owner: ownerOf,
    async read({ view, params: { token }, tools: { secrets }, baseUrl }) {
      return { data: null, document: await managedIcs(view, { secrets, token, baseUrl }) };
    },
  }),

  definePageEndpoint({
    id: 'manage-page.cancel',
    method: 'POST',
    path: '/book/manage/:token/cancel',
    summary: 'Cancel the appointment',
    limit: 'booking',
    params,
    body: s.request({
      tz: field,
      clock: field,
      reason: Type.Optional(Type.String({ maxLength: 1_000 })),
    }),
    error: errorPage,
    async refused(fault, { view, params: { token }, body, tools: { secrets }, baseUrl }) {
      const choice = keptChoice(body);
      const document = await showManaged(view, { secrets, token, choice, fault, baseUrl });
      return { status: 400, data: null, document };
    },
    owner: ownerOf,
    async write({ work, params: { token }, body: form, tools: { secrets } }) {
      return submitCancel(work, { secrets, token, form });
    },
  }),

  definePageEndpoint({
    id: 'manage-page.choose',
    method: 'GET',
    path: '/book/manage/:token/move',
    summary: 'The page with the times that the appointment can be moved to',
    limit: 'availability',
    cost: (query, { now }) => daysShown(query, now),
    ...shownBy(showMove),
  }),

  definePageEndpoint({
    id: 'manage-page.move',
    method: 'POST',
    path: '/book/manage/:token/move',
    summary: 'Move the appointment',
    limit: 'booking',
    params,
    body: s.request({ tz: field, clock: field, start: field }),
    error: errorPage,
    async refused(fault, { view, params: { token }, body, tools: { secrets }, baseUrl }) {
      if (fault.code === 'RATE_LIMITED') {
        throw fault;
      }
      const choice = { ...keptChoice(body), start: body.start ?? '' };
      const document = await showMove(view, { secrets, token, choice, fault, baseUrl });
      return { status: 400, data: null, document };
    },
    owner: ownerOf,
    prepare: (call) =>
      prepareMove(call, managedBy(call.tools.secrets, call.params.token).appointmentId),
    async write({ work, params: { token }, body: form, tools: { secrets } }) {
      return submitMove(work, { secrets, token, form });
    },
  }),
];
