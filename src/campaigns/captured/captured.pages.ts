import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { Type } from 'typebox';
import { orNotFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { Secrets } from '#core/secrets.ts';
import type { TokenSubject } from '#lib/signed-token.ts';
import { html, markupOf } from '#lib/html.ts';
import { readBrand } from '../../accounts/sub-accounts/brand.ts';
import { CAPTURED, readLinkToken } from '../compose/campaign-links.ts';
import { mailPage } from '../compose/show-preview.ts';
import { errorPage } from '../pages/preferences-page.ts';
import { readCaptured } from './read-captured.ts';

const TOKEN_MAX = 200;

const params = s.request({ token: Type.String({ maxLength: TOKEN_MAX }) });

interface CapturedCall {
  readonly params: { readonly token: string };
  readonly tools: { readonly secrets: Secrets };
}

function subjectOf({ params: { token }, tools: { secrets } }: CapturedCall): TokenSubject {
  return orNotFound(readLinkToken(CAPTURED, secrets, token), 'page');
}

/** The mails of sandboxes, as a browser shows them. Scripts and forms are blocked. */
export const capturedPages = [
  definePageEndpoint({
    id: 'outbox.show',
    method: 'GET',
    path: '/outbox/:token',
    summary: 'Show a message that a sandbox captured',
    limit: 'availability',
    params,
    error: errorPage(),
    owner: async (call) => subjectOf(call).subAccountId,
    async read({ view, baseUrl, ...call }) {
      orNotFound(await readBrand(view), 'sub-account');
      const links = { secrets: call.tools.secrets, baseUrl };
      const { bodyHtml, bodyText } = await readCaptured(view, subjectOf(call).id, links);
      return { data: null, document: mailPage(bodyHtml ?? textPage(bodyText ?? '')) };
    },
  }),
];

const textPage = (text: string): string =>
  markupOf(
    html`<!doctype html>
      <meta charset="utf-8" />
      <pre style="white-space: pre-wrap">${text}</pre>`,
  );
