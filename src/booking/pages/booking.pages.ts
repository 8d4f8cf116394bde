import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { filePage, webFile } from '#platform/http/static.ts';
import { namedSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { DAYS_MAX } from '../availability/availability.schema.ts';
import { prepareOffer } from '../appointments/refresh-before-booking.ts';
import { choiceQuery, daysShown } from './choice.ts';
import { errorPage } from './layout.ts';
import { visitorForm } from './visitor-form.ts';
import { bookingMarkdown } from './booking-markdown.ts';
import { showBooking, showRefused } from './show-booking.ts';
import { showOffers } from './show-offers.ts';
import { submitBooking } from './submit-booking.ts';

const text = Type.String({ minLength: 1, maxLength: 200 });

const ofSubAccount = {
  params: s.request({ subAccountId: text }),
  error: errorPage,
  owner: async ({ params }: { readonly params: { readonly subAccountId: string } }) =>
    namedSubAccount(params.subAccountId),
};
const ofType = { ...ofSubAccount, params: s.request({ subAccountId: text, name: text }) };

/** Pages where visitors book. */
export const bookingPages = [
  filePage({
    id: 'booking-page.style',
    path: '/book/page.css',
    summary: 'The style sheet of booking pages',
    type: 'text/css; charset=utf-8',
    file: webFile('built/booking-page.css'),
  }),

  filePage({
    id: 'booking-page.script',
    path: '/book/page.js',
    summary: 'The script of booking pages, which work without it',
    type: 'text/javascript; charset=utf-8',
    file: webFile('built/booking-page.js'),
  }),

  definePageEndpoint({
    id: 'booking-page.index',
    method: 'GET',
    path: '/book/:subAccountId',
    summary: 'The page that lists what can be booked',
    limit: 'availability',
    ...ofSubAccount,
    read: async ({ view }) => ({ data: null, document: await showOffers(view) }),
  }),

  definePageEndpoint({
    id: 'booking-page.show',
    method: 'GET',
    path: '/book/:subAccountId/:name',
    summary: 'The page where an appointment type is booked; with `.md`, the same as Markdown',
    limit: 'availability',
    cost: (query, { params: { name }, now }) =>
      name.endsWith('.md') ? DAYS_MAX : daysShown(query, now),
    ...ofType,
    query: choiceQuery,
    async read({ view, params: { name }, query, baseUrl }) {
      if (name.endsWith('.md')) {
        const document = await bookingMarkdown(view, name.slice(0, -'.md'.length), baseUrl);
        return { data: null, document };
      }
      return { data: null, document: await showBooking(view, name, query) };
    },
  }),

  definePageEndpoint({
    id: 'booking-page.book',
    method: 'POST',
    path: '/book/:subAccountId/:name',
    summary: 'Submit the booking form',
    limit: 'booking',
    ...ofType,
    body: visitorForm,
    async refused(fault, { view, params: { name }, body: form }) {
      return { status: 400, data: null, document: await showRefused(view, name, { form, fault }) };
    },
    prepare: (call) => prepareOffer(call, call.params.name),
    async write({ work, params: { name }, body: form, tools: { secrets } }) {
      return submitBooking(work, { name, form, secrets });
    },
  }),
];
