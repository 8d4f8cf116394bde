import { pages } from '#registry/pages.ts';
import { expect, test } from '../support/service.ts';

const PATHS = pages.flatMap(({ method, path }) =>
  method === 'GET' && path.includes(':') ? [path] : [],
);

test.for([...new Set(PATHS)])(
  'the error page of %s has styles that exist',
  async (path, { service }) => {
    const url = new URL(path.replaceAll(/:\w+/g, 'x'), service.url);
    const page = await fetch(url);
    expect(page.ok).toBe(false);
    const links = (await page.text()).matchAll(/rel="stylesheet" href="([^"]+)"/g);
    for (const [, href = ''] of links) {
      const style = await fetch(new URL(href, url));
      expect([href, style.status]).toEqual([href, 200]);
    }
  },
);
