import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hashed, type WebFile } from '#platform/http/static.ts';
import { PACKAGE_ROOT } from '#platform/files/package-root.ts';

/** The site that `npm run build` writes beside the bundle. Beside the sources there is none. */
const BUILT = join(import.meta.dirname, 'docs');
/** Renders the site in a checkout whose sources run. It is no part of the bundle. */
const BUILD = join(PACKAGE_ROOT, 'docs/site/build-site.ts');

type SiteContent = ReadonlyMap<string, string | Uint8Array>;

/** Names of files of the site: no path leads out of it. */
const NAME = /^[a-z\d][a-z\d-]*\.(?:html|md|txt|json|css|js|svg|png)$/;

const files = new Map<string, Promise<WebFile | undefined>>();

/** Returns a file of the documentation, or undefined if there is none of that name. */
export function siteFile(name: string): Promise<WebFile | undefined> | undefined {
  if (!NAME.test(name)) {
    return undefined;
  }
  const known = files.get(name);
  if (known) {
    return known;
  }
  const reading = read(name);
  files.set(name, reading);
  // Neither a failure nor a name that does not exist is kept: visitors can make up any number.
  reading.then(
    (file) => file ?? files.delete(name),
    () => files.delete(name),
  );
  return reading;
}

async function read(name: string): Promise<WebFile | undefined> {
  if (existsSync(BUILT)) {
    const path = join(BUILT, name);
    return existsSync(path) ? hashed(await readFile(path)) : undefined;
  }
  const content = (await rendered()).get(name);
  return content === undefined ? undefined : hashed(Buffer.from(content));
}

let rendering: Promise<SiteContent> | undefined;

/** Renders the site once, with the first request for a page. */
function rendered(): Promise<SiteContent> {
  rendering ??= (import(pathToFileURL(BUILD).href) as Promise<SiteBuilder>)
    .then(({ buildSite }) => buildSite())
    .catch((error: unknown) => {
      rendering = undefined;
      throw error;
    });
  return rendering;
}

interface SiteBuilder {
  buildSite(): Promise<SiteContent>;
}
