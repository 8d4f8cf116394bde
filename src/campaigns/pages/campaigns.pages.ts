import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { Type } from 'typebox';
import { orNotFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { Secrets } from '#core/secrets.ts';
import type { TokenSubject } from '#lib/signed-token.ts';
import { errorPage, preferencesPage } from './preferences-page.ts';
import { readPreferences, setPreferences } from './preferences.ts';
import { showPreview } from '../compose/show-preview.ts';
import { PREVIEW, readLinkToken, UNSUBSCRIBE, type LinkKind } from '../compose/campaign-links.ts';

const TOKEN_MAX = 200;
const WORD_MAX = 100;

const params = s.request({ token: Type.String({ maxLength: TOKEN_MAX }) });
const word = Type.Optional(Type.String({ maxLength: WORD_MAX }));

/** The fields of the page's forms and of mail programs (RFC 8058). None is required to unsubscribe. */
const choices = Type.Object(
  { save: word, email: word, sms: word, stopSms: word },
  { additionalProperties: Type.String({ maxLength: WORD_MAX }) },
);

interface PreferencesRequest {
  readonly params: { readonly token: string };
  readonly tools: { readonly secrets: Secrets };
}

function subjectOf(
  kind: LinkKind,
  { params: { token }, tools: { secrets } }: PreferencesRequest,
): TokenSubject {
  return orNotFound(readLinkToken(kind, secrets, token), 'page');
}

const recipientOf = (call: PreferencesRequest): TokenSubject => subjectOf(UNSUBSCRIBE, call);

/**
 * The preferences page, to which every campaign mail links, and the preview of a mail. A GET changes
 * nothing, since mail scanners follow links.
 */
export const campaignPages = [
  definePageEndpoint({
    id: 'campaigns.preferences',
    method: 'GET',
    path: '/u/:token',
    summary: 'Show the email and SMS preferences of a recipient',
    limit: 'availability',
    params,
    error: errorPage(),
    owner: async (call) => recipientOf(call).subAccountId,
    async read({ view, ...call }) {
      const preferences = await readPreferences(view, recipientOf(call).id);
      return { data: null, document: preferencesPage(preferences) };
    },
  }),

  definePageEndpoint({
    id: 'campaigns.unsubscribe',
    method: 'POST',
    path: '/u/:token',
    summary: 'Unsubscribe, or save preferences',
    limit: 'unsubscribe',
    countedBy: (call) => recipientOf(call).id,
    params,
    body: choices,
    // Mail programs send multipart (RFC 8058).
    takes: ['multipart/form-data'],
    error: errorPage(),
    owner: async (call) => recipientOf(call).subAccountId,
    async write({ work, body, ...call }) {
      const before = await readPreferences(work, recipientOf(call).id);
      const isChoice = body.save !== undefined;
      const wanted = isChoice
        ? { email: body.email !== undefined, sms: body.sms !== undefined }
        : { email: false, ...(body.stopSms !== undefined && { sms: false }) };
      const after = await setPreferences(work, before, wanted);
      return { data: null, document: preferencesPage(after, true) };
    },
  }),

  definePageEndpoint({
    id: 'campaigns.preview',
    method: 'GET',
    path: '/campaigns/preview/:token',
    summary: 'Preview the mail of a campaign',
    limit: 'availability',
    params,
    error: errorPage(2),
    owner: async (call) => subjectOf(PREVIEW, call).subAccountId,
    read: async ({ view, ...call }) => ({
      data: null,
      document: await showPreview(view, subjectOf(PREVIEW, call).id),
    }),
  }),
];
