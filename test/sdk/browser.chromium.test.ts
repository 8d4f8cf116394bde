import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { startSink } from '../support/https-sink.ts';
import { expect, test } from '../support/service.ts';

const SOURCES = join(import.meta.dirname, '../../sdk/src');

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** The program of a site that uses the client, and reports its results. */
const PROGRAM = `
  import { createPublicClient, verifyWebhook } from './main.ts';
  const { baseUrl, subAccountId } = GIVEN;
  const visitor = createPublicClient({ baseUrl, maxTries: 1 });
  const refusalOf = (call) => call.then(() => 'taken', ({ code, requestId }) => [code, typeof requestId]);
  const { brand } = await visitor.publicBooking.config({ subAccountId });
  const who = { subAccountId, visitorName: 'Ada' };
  REPORT({
    brand,
    session: await refusalOf(visitor.chat.session(who)),
    message: await refusalOf(visitor.chat.message({ sessionId: 'unknown', message: 'Hi' })),
    webhook: await refusalOf(verifyWebhook({ body: '{}', headers: new Headers(), secret: 's' })),
  });
`;

test.for(['a page', 'a worker'] as const)(
  '%s of another site can use public endpoints, including errors and repeatable posts',
  async (where, { service: { url: baseUrl, subAccountId } }) => {
    const site = await startSink();
    const page = await openPage(browser);
    await page.goto(site.url);
    const { outputFiles } = await build({
      stdin: { contents: PROGRAM, resolveDir: SOURCES },
      bundle: true,
      format: 'esm',
      write: false,
      define: {
        GIVEN: JSON.stringify({ baseUrl, subAccountId }),
        REPORT: where === 'a page' ? 'globalThis.report' : 'postMessage',
      },
    });
    const program = JSON.stringify(outputFiles[0]?.text);
    const run =
      where === 'a page'
        ? `globalThis.report = done; import(address).catch(failed)`
        : `Object.assign(new Worker(address, { type: 'module' }), {
             onmessage: ({ data }) => done(data), onerror: failed })`;
    const reported = await page.evaluate(`new Promise((done, failed) => {
      const address = URL.createObjectURL(new Blob([${program}], { type: 'text/javascript' }));
      ${run};
    })`);
    expect(reported).toEqual({
      brand: 'Harbour Dental',
      session: ['NOT_FOUND', 'string'],
      message: ['NOT_FOUND', 'string'],
      webhook: ['INVALID_SIGNATURE', 'undefined'],
    });
    await site.close();
  },
);
