import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { buildConsole, writeConsole } from './build-console.ts';

/** Older ones lack constructable style sheets, which a strict CSP lets through, or `AbortSignal.timeout`. */
const BROWSERS = ['chrome103', 'firefox104', 'safari16.4'];

export const CHAT_WIDGET = join(import.meta.dirname, 'built/chat-widget.js');
export const BOOKING_PAGE = join(import.meta.dirname, 'built/booking-page.js');
export const BOOKING_STYLE = join(import.meta.dirname, 'built/booking-page.css');
export const CARD_STYLE = join(import.meta.dirname, 'built/card.css');
export const DEMO_STYLE = join(import.meta.dirname, 'built/chat-demo.css');
export const FORM_SCRIPT = join(import.meta.dirname, 'built/form.js');
export const FORM_EMBED = join(import.meta.dirname, 'built/form-embed.js');

export const buildChatWidget = (): Promise<Uint8Array> => bundle('chat/main.ts');
export const buildBookingPage = (): Promise<Uint8Array> => bundle('booking/main.ts');
export const buildBookingStyle = (): Promise<Uint8Array> => bundle('booking/page.css');
export const buildCardStyle = (): Promise<Uint8Array> => bundle('pages/card.css');
export const buildDemoStyle = (): Promise<Uint8Array> => bundle('chat/demo.css');
export const buildFormScript = (): Promise<Uint8Array> => bundle('forms/main.ts');
export const buildFormEmbed = (): Promise<Uint8Array> => bundle('forms/embed.ts');
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
    ...(isStyle ? { plugins: [themesByQuery] } : { format: 'iife', plugins: [styleAsText] }),
    target: BROWSERS,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    write: false,
  });
  const contents = outputFiles[0]?.contents ?? new Uint8Array();
  return isStyle ? Buffer.from(withoutUnused(Buffer.from(contents).toString())) : contents;
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

/** The colours with a media query instead of `light-dark()`, which these browsers lack. */
const themesByQuery: Plugin = {
  name: 'themes-by-query',
  setup({ onLoad }) {
    onLoad({ filter: /tokens[\\/]colors\.css$/ }, async ({ path }) => ({
      contents: splitThemes(await readFile(path, 'utf8')),
      loader: 'css',
    }));
  },
};

/** Two colours, each of which may be a function. */
const LIGHT_DARK = /light-dark\(((?:[^(),]|\([^()]*\))+),\s*((?:[^(),]|\([^()]*\))+)\)/g;

function splitThemes(style: string): string {
  const dark = [...style.matchAll(/--[\w-]+:[^;]*light-dark[^;]*;/g)].map(([one]) =>
    one.replace(LIGHT_DARK, '$2'),
  );
  return `${style.replace(LIGHT_DARK, '$1')}
@media (prefers-color-scheme: dark) { :root, :host { ${dark.join('\n')} } }`;
}

/** Removes the custom properties that nothing in a minified style sheet uses. */
function withoutUnused(style: string): string {
  const used = new Set(style.match(/(?<=var\()--[\w-]+/g));
  const left = style.replace(/(--[\w-]+):[^;{}]*(?:;|(?=\}))/g, (text, name: string) =>
    used.has(name) ? text : '',
  );
  return left === style ? style : withoutUnused(left);
}

if (import.meta.main) {
  await writeFile(CHAT_WIDGET, await buildChatWidget());
  await writeFile(BOOKING_PAGE, await buildBookingPage());
  await writeFile(BOOKING_STYLE, await buildBookingStyle());
  await writeFile(CARD_STYLE, await buildCardStyle());
  await writeFile(DEMO_STYLE, await buildDemoStyle());
  await writeFile(FORM_SCRIPT, await buildFormScript());
  await writeFile(FORM_EMBED, await buildFormEmbed());
  await writeConsole(await buildConsole());
}
