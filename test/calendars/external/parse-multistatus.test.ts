import { expect, test } from 'vitest';
import { parseMultistatus } from '../../../src/calendars/external/parse-multistatus.ts';

const parse = (xml: string) => parseMultistatus(Buffer.from(xml));
const multistatus = (responses: string) =>
  `<?xml version="1.0"?>\n<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${responses}</d:multistatus>\n`;
const found = (properties: string, status = 'HTTP/1.1 200 OK') =>
  `<d:response><d:href> /cal/ </d:href><d:propstat><d:prop>${properties}</d:prop><d:status>${status}</d:status></d:propstat></d:response>`;

const EMPTY = {
  href: '/cal/',
  status: undefined,
  hasProperties: true,
  refused: undefined,
  resourceTypes: [],
  components: [],
  principal: undefined,
  home: undefined,
  calendarData: undefined,
};

test.for([
  [
    'types of a collection',
    '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>',
    { resourceTypes: ['collection', 'calendar'] },
  ],
  [
    'components of a calendar',
    `<c:supported-calendar-component-set><c:comp name="VEVENT"/><c:comp name='VTODO'/></c:supported-calendar-component-set>`,
    { components: ['VEVENT', 'VTODO'] },
  ],
  [
    'principal of the account',
    '<d:current-user-principal><d:href>/principals/123</d:href></d:current-user-principal>',
    { principal: '/principals/123' },
  ],
  [
    'first home of the account',
    '<c:calendar-home-set><d:href/><d:href>/a/</d:href><d:href>/b/</d:href></c:calendar-home-set>',
    { home: '/a/' },
  ],
  [
    'text of an event with entities',
    '<c:calendar-data>\nSUMMARY:A &amp; B &#x41;&lt;\n</c:calendar-data>',
    { calendarData: 'SUMMARY:A & B A<' },
  ],
  [
    'text of an event in several sections',
    '<c:calendar-data><![CDATA[a]]]]><![CDATA[>b & c]]></c:calendar-data>',
    { calendarData: 'a]]>b & c' },
  ],
  ['text without a prefix', '<calendar-data xmlns="x">a</calendar-data>', { calendarData: 'a' }],
  ['empty text', '<c:calendar-data/>', { calendarData: '' }],
] as const)('a response has the %s', async ([, properties, expected]) => {
  expect(await parse(multistatus(found(properties)))).toEqual([{ ...EMPTY, ...expected }]);
});

test('properties that were not found are left out, and the others are taken together', async () => {
  const states = [
    ['<d:current-user-principal><d:href>/me</d:href></d:current-user-principal>', '200 OK'],
    ['<c:calendar-data>missing</c:calendar-data>', '404 Not Found'],
    ['<c:calendar-home-set><d:href>/home</d:href></c:calendar-home-set>', '200 OK'],
  ].map(
    ([properties, status]) =>
      `<d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 ${status}</d:status></d:propstat>`,
  );
  const xml = multistatus(`<d:response><d:href>/cal/</d:href>${states.join('')}</d:response>`);
  expect(await parse(xml)).toEqual([{ ...EMPTY, principal: '/me', home: '/home' }]);
});

test('a response has the status of properties that were refused', async () => {
  const refused = (status: string) =>
    found('<d:getetag>1</d:getetag>').replace(
      '</d:response>',
      `<d:propstat><d:prop><c:calendar-data/></d:prop><d:status>${status}</d:status></d:propstat></d:response>`,
    );
  const xml = multistatus(['HTTP/1.1 404 Not Found', 'HTTP/1.1 500 Error'].map(refused).join(''));
  expect(await parse(xml)).toEqual([EMPTY, { ...EMPTY, refused: 500 }]);
});

test('a response may have a status instead of properties', async () => {
  const xml = multistatus(
    '<d:response><d:href>/a</d:href><d:status>HTTP/1.1 403 Forbidden</d:status></d:response><d:response><d:href>/b</d:href><d:status>HTTP/2 404</d:status></d:response>',
  );
  expect(await parse(xml)).toMatchObject([
    { href: '/a', status: 403, hasProperties: false },
    { href: '/b', status: 404, hasProperties: false },
  ]);
});

test('another document is no multistatus, and an empty one has no responses', async () => {
  expect(await parse('<html><body>Sign in</body></html>')).toBe(undefined);
  expect(await parse(multistatus(''))).toEqual([]);
});

const LARGE = 5_000_000;

test.for([
  ['text', 'x'.repeat(LARGE)],
  ['NUL characters', '\0'.repeat(LARGE)],
  ['text after the root', multistatus('') + 'x'.repeat(LARGE)],
  ['ampersands', multistatus('& '.repeat(LARGE / 2))],
  ['an unknown entity', multistatus('&nbsp;')],
  ['slashes in a tag', `<a ${'/x'.repeat(LARGE / 2)}>`],
  ['attributes without a value', `<a${' b'.repeat(LARGE / 2)}/>`],
  ['end tags alone', '</a>'.repeat(LARGE / 4)],
  ['start tags alone', multistatus('<a><b>').replace('</d:multistatus>', '')],
  ['a section that does not end', multistatus(`<![CDATA[${']'.repeat(LARGE)}`)],
  ['a document type', `<!DOCTYPE a [<!ENTITY b "c">]>${multistatus('&b;')}`],
] as const)('a document with %s is refused', async ([, xml]) => {
  await expect(parse(xml)).rejects.toThrow('it returned XML that is not well-formed');
});

test.for([
  ['elements', (count: number) => '<a/>'.repeat(count), 70_000],
  ['attributes', (count: number) => '<a b="" c=""/>'.repeat(count), 35_000],
  ['comments', (count: number) => '<!--c-->'.repeat(count), 140_000],
  ['instructions', (count: number) => '<?a?>'.repeat(count), 140_000],
  ['sections', (count: number) => `<a>${'<![CDATA[x]]>'.repeat(count)}</a>`, 140_000],
  ['levels', (count: number) => '<a>'.repeat(count) + '</a>'.repeat(count), 60],
  ['responses', (count: number) => '<d:response/>'.repeat(count), 20_000],
] as const)('a document with too many %s is refused', async ([, repeated, allowed]) => {
  expect(await parse(multistatus(repeated(allowed)))).toBeInstanceOf(Array);
  await expect(parse(multistatus(repeated(allowed * 2)))).rejects.toThrow('too much XML markup');
});
