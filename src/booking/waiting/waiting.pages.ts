import { Type } from 'typebox';
import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import type { Call } from '#core/endpoint/route.ts';
import { orNotFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { Secrets } from '#core/secrets.ts';
import type { TokenSubject } from '#lib/signed-token.ts';
import { namedSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { choiceQuery } from '../pages/choice.ts';
import { errorPage, redirectTo } from '../pages/layout.ts';
import { managePath } from '../pages/manage/manage-link.ts';
import { visitorForm } from '../pages/visitor-form.ts';
import { hostOf } from '../public/public-offers.ts';
import { showJoin, submitJoin } from './show-join.ts';
import { showWaiting } from './show-waiting.ts';
import { readWaitingToken } from './waiting-link.ts';
import { acceptOffer, declineOffer, leaveWaiting } from './waiting-place.ts';

const text = Type.String({ minLength: 1, maxLength: 200 });
const ofType = s.request({ subAccountId: text, name: text });
const params = s.request({ token: text });
const joinBody = s.request({
  ...visitorForm.properties,
  date: Type.Optional(Type.String({ maxLength: 100 })),
});

type PlaceCall = Pick<Call<{ readonly token: string }, unknown, unknown>, 'params' | 'tools'>;

function placeOf(secrets: Secrets, token: string): TokenSubject {
  return orNotFound(readWaitingToken(secrets, token), 'place');
}

const ownerOf = async ({ params, tools }: PlaceCall) =>
  placeOf(tools.secrets, params.token).subAccountId;

/** What both changes that end an offer without a booking have in common. */
const changePage = (
  name: 'decline' | 'leave',
  summary: string,
  change: typeof declineOffer | typeof leaveWaiting,
) =>
  definePageEndpoint({
    id: `waiting-page.${name}`,
    method: 'POST',
    path: `/book/wait/:token/${name}`,
    summary,
    limit: 'booking',
    params,
    body: s.request({}),
    error: errorPage,
    owner: ownerOf,
    async write({ work, params: { token }, tools: { secrets } }) {
      await hostOf(work);
      await change(work, placeOf(secrets, token).id);
      return redirectTo(`/book/wait/${token}`);
    },
  });

/** The waiting list of full days: joining it, and the page of a place, which its secret link opens. */
export const waitingPages = [
  definePageEndpoint({
    id: 'waiting-page.form',
    method: 'GET',
    path: '/book/:subAccountId/:name/wait',
    summary: 'The form that puts a visitor on the waiting list of a day',
    limit: 'availability',
    params: ofType,
    query: choiceQuery,
    error: errorPage,
    owner: async ({ params: { subAccountId } }) => namedSubAccount(subAccountId),
    read: async ({ view, params: { name }, query: choice }) => ({
      data: null,
      document: await showJoin(view, name, { choice }),
    }),
  }),

  definePageEndpoint({
    id: 'waiting-page.join',
    method: 'POST',
    path: '/book/:subAccountId/:name/wait',
    summary: 'Join the waiting list of a day',
    limit: 'booking',
    params: ofType,
    body: joinBody,
    error: errorPage,
    async refused(fault, { view, params: { name }, body: form }) {
      const { date = '', tz = '', clock = '' } = form;
      const query = { choice: { date, tz, clock }, refused: { form, fault } };
      return { status: 400, data: null, document: await showJoin(view, name, query) };
    },
    owner: async ({ params: { subAccountId } }) => namedSubAccount(subAccountId),
    write: ({ work, params: { name }, body: form }) => submitJoin(work, name, form),
  }),

  definePageEndpoint({
    id: 'waiting-page.show',
    method: 'GET',
    path: '/book/wait/:token',
    summary: 'The page of a place in the waiting list',
    limit: 'availability',
    params,
    query: choiceQuery,
    error: errorPage,
    owner: ownerOf,
    async read({ view, params: { token }, query: choice, tools: { secrets } }) {
      const { id } = placeOf(secrets, token);
      const query = { id, path: `/book/wait/${token}`, choice };
      return { data: null, document: await showWaiting(view, query) };
    },
  }),

  definePageEndpoint({
    id: 'waiting-page.book',
    method: 'POST',
    path: '/book/wait/:token/book',
    summary: 'Book the slot that is held for a waiting person',
    limit: 'booking',
    params,
    body: s.request({}),
    error: errorPage,
    async refused(fault, { view, params: { token }, tools: { secrets } }) {
      const { id } = placeOf(secrets, token);
      const query = { id, path: `/book/wait/${token}`, choice: {}, fault };
      return { status: 400, data: null, document: await showWaiting(view, query) };
    },
    owner: ownerOf,
    async write({ work, params: { token }, tools: { secrets } }) {
      const { subAccountId, id } = placeOf(secrets, token);
      const appointmentId = await acceptOffer(work, id);
      return redirectTo(`${managePath(secrets, { subAccountId, appointmentId })}?done=booked`);
    },
  }),

  changePage('decline', 'Pass the offered slot on', declineOffer),
  changePage('leave', 'Leave the waiting list', leaveWaiting),
];
