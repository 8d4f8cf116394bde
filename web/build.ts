import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** Older ones lack constructable style sheets, which a strict CSP lets through, or `AbortSignal.timeout`. */
const BROWSERS = ['chrome103', 'firefox104', 'safari16.4'];

export const CHAT_WIDGET = join(import.meta.dirname, 'built/chat-widget.js');
export const BOOKING_PAGE = join(import.meta.dirname, 'built/booking-page.js');
export const BOOKING_STYLE = join(import.meta.dirname, 'built/booking-page.css');
export const FORM_SCRIPT = join(import.meta.dirname, 'built/form.js');

export const buildChatWidget = (): Promise<Uint8Array> => bundle('chat/main.ts');
export const buildBookingPage = (): Promise<Uint8Array> => bundle('booking/main.ts');
export const buildBookingStyle = (): Promise<Uint8Array> => bundle('booking/page.css');
export const buildFormScript = (): Promise<Uint8Array> => bundle('forms/main.ts');
export const buildDocsScript = (): Promise<Uint8Array> => bundle('docs/main.ts');
export const buildDocsTheme = (): Promise<Uint8Array> => bundle('docs/theme.ts');
export const buildDocsStyle = (): Promise<Uint8Array> => bundle('docs/site.css');

/** One file of script or style, the same bytes for the same sources. */
async function bundle(entry: string): Promise<Uint8Array> {
  const isStyle = entry.endsWith('.css');
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    ...(!isStyle && { format: 'iife', plugins: [styleAsText] }),
    target: BROWSERS,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** A style sheet is imported as its minified text. */
const styleAsText: Plugin = {
  name: 'style as text',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const style = Buffer.from(await bundle(path)).toString();
      return { contents: style.trim(), loader: 'text' };
    });
  },
};

if (import.meta.main) {
  await writeFile(CHAT_WIDGET, await buildChatWidget());
  await writeFile(BOOKING_PAGE, await buildBookingPage());
  await writeFile(BOOKING_STYLE, await buildBookingStyle());
  await writeFile(FORM_SCRIPT, await buildFormScript());
}
