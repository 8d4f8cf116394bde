import { describe, expect, test } from 'vitest';
import type { Fault } from '#core/fault.ts';
import { sections } from '#registry/sections.ts';
import { readManifest } from '../../src/manifest/read-manifest.ts';

/** The error lines of a text; none if it is valid. */
async function refusalsOf(text: string, variables: Record<string, string> = {}): Promise<string[]> {
  try {
    const { issues, refusal } = await readManifest(sections, { name: 'm.yaml', text }, variables);
    return issues.length > 0 ? (await refusal(issues)).message.split('\n') : [];
  } catch (error) {
    return (error as Fault).message.split('\n');
  }
}

describe('a manifest is refused by file, line and path', () => {
  test.each([
    [
      'an open quote',
      'team: []\ncustomValues: {a: "x}\n',
      'm.yaml:3:1: the file is not valid YAML: a character is missing',
    ],
    [
      'a tab as indentation',
      'team:\n\t- {}\n',
      'm.yaml:2:1: the file is not valid YAML: this line is indented with a tab',
    ],
    [
      'a field that is indented less than the others of its item',
      'team:\n  - key: anna\n   name: Anna\n',
      'm.yaml:3:1: the file is not valid YAML: this line is indented differently from the lines around it',
    ],
    [
      'a missing colon',
      'team: []\ncustomValues\n  a: x\n',
      'm.yaml:2:1: the file is not valid YAML: a colon is missing',
    ],
    [
      'a second colon',
      'subAccount:\n  name: X: Y\n',
      'm.yaml:2:9: the file is not valid YAML: this line is indented differently from the lines around it, or its text contains a colon',
    ],
    [
      'two documents',
      'team: []\n---\nteam: []\n',
      'm.yaml:2:1: the file is not valid YAML: a second document begins here',
    ],
    [
      'an unknown tag',
      'customValues:\n  a: !new x\n',
      'm.yaml:2:6: the file is not valid YAML: Unresolved tag',
    ],
    [
      'a missing anchor',
      'team: []\ncustomValues: {a: *x}\n',
      'm.yaml:2:19: /customValues/a refers to the anchor',
    ],
    ['no mapping at all', '- team\n', 'm.yaml:1:1: the file must be an object, not an array'],
    ['nothing', '', 'm.yaml:1:1: the file must be an object, not null'],
    ['a section that is none', 'a: 1\n', 'm.yaml:1:1: /a is not a known field here'],
    ['a section without its list', 'team:\n', 'm.yaml:1:1: /team must be an array, not null'],
    [
      'a field of a later release',
      'team:\n  - key: ben\n    name: Ben\n    pronouns: they\n',
      'm.yaml:4:5: /team/0/pronouns is not a known field here',
    ],
    ['a missing field', 'team:\n\n  - key: ben\n', 'm.yaml:3:5: /team/0/name is required'],
    [
      'a wrong value',
      'subAccount:\n  name: X\n  timezone: Mars\n',
      'm.yaml:3:3: /subAccount/timezone must be an IANA time zone',
    ],
    [
      'a member twice',
      'team:\n  - key: a\n    name: b\n    name: c\n',
      'm.yaml:4:5: /team/0/name is given twice',
    ],
    [
      'a section twice',
      'team:\n  - key: a\n    name: b\nteam: []\n',
      'm.yaml:4:1: /team is given twice',
    ],
    [
      'a key twice, whatever its case',
      'team:\n  - {key: anna, name: A}\n  - {key: Anna, name: B}\n',
      'm.yaml:3:6: /team/1/key repeats anna of /team/0',
    ],
    [
      'a custom value twice, whatever its case',
      'customValues:\n  link: a\n  Link: b\n',
      'm.yaml:3:3: /customValues/Link repeats link',
    ],
    [
      'a select without options',
      'customFields:\n  - {name: a, type: select}\n',
      'm.yaml:2:5: /customFields/0/options is required for a select',
    ],
    [
      'options of what is no select',
      'customFields:\n  - {name: a, options: [b]}\n',
      'm.yaml:2:15: /customFields/0/options belongs to a select; this is text',
    ],
    [
      'a name that no message could hold',
      'customValues:\n  "booking link": x\n',
      'm.yaml:2:3: /customValues/booking link must have a name of',
    ],
    [
      'a variable that is not set',
      'invoices:\n  secret: "${env:SET}${env:GONE}"\n',
      'm.yaml:2:3: /invoices/secret needs the environment variable GONE, which is not set',
    ],
    [
      'a reference to what can be no variable',
      'invoices:\n  secret: "${env:A-B}"\n',
      'm.yaml:2:3: /invoices/secret contains ${env:A-B}, which is not a valid variable name',
    ],
    [
      'a variable where none may be',
      'customValues:\n  link: "${env:SET}"\n',
      'm.yaml:2:3: /customValues/link refers to the environment variable SET; ${env:…} is allowed only in',
    ],
    [
      'a variable of Frontdesk itself',
      'invoices:\n  secret: "${env:DATABASE_URL}"\n',
      'm.yaml:2:3: /invoices/secret refers to DATABASE_URL, which configures Frontdesk itself',
    ],
    [
      'hours that are no list',
      'calendars:\n  - {key: a, name: A, hours: {mon: "09:00-17:00"}}\n',
      'm.yaml:2:31: /calendars/0/hours/mon must be an array, not a string; for example ["09:00-17:00"]',
    ],
    [
      'a duration with a unit',
      'calendars:\n  - {key: a, name: A, types: [{key: b, name: B, duration: 30m}]}\n',
      '/calendars/0/types/0/duration must be whole minutes, not a string; for example 30',
    ],
    ['a NUL', 'customValues: {a: "\\0"}\n', 'm.yaml:1:16: /customValues/a contains a character'],
  ])('%s', async (_, text, expected) => {
    const [first] = await refusalsOf(text, { SET: 'yes' });
    expect(first).toContain(expected);
  });

  test('in a JSON file too', async () => {
    const text = '{\n\t"team": [\n\t\t{"key": "a"}\n\t]\n}';
    expect(await refusalsOf(text)).toEqual(['m.yaml:3:3: /team/0/name is required']);
  });

  test('where an alias repeats the error', async () => {
    const text = 'team:\n  - &a {key: a b, name: A}\ncustomValues: {x: "y"}\n';
    expect((await refusalsOf(text))[0]).toContain('m.yaml:2:9: /team/0/key must start with');
  });

  test('with all errors at once, in the order of the file', async () => {
    const text = [
      'invoices: {secret: "${env:GONE}"}',
      'team:',
      '  - {key: anna, name: 5}',
      '  - {key: ANNA, name: B}',
      'customFields: [{name: a, type: select}]',
      'nonsense: true',
    ].join('\n');
    const places = (await refusalsOf(text)).map((line) => line.split(' ').slice(0, 2).join(' '));
    expect(places).toEqual([
      'm.yaml:1:12: /invoices/secret',
      'm.yaml:3:17: /team/0/name',
      'm.yaml:4:6: /team/1/key',
      'm.yaml:5:16: /customFields/0/options',
      'm.yaml:6:1: /nonsense',
    ]);
  });

  test('with all errors of an entry, and suggestions', async () => {
    const text = [
      'calender: []',
      'workflows:',
      '  - slug: a',
      '    name: A',
      '    triggers: [{on: contact.craeted}, {on: inbound_webhook, were: {}}]',
      '    steps:',
      '      - {sned: {channel: sms, body: x}}',
      '      - {send: {channel: smms, body: x}}',
      '      - {wait: {for: 2d, until: "09:00"}}',
    ].join('\n');
    const lines = await refusalsOf(text);
    expect(lines).toEqual([
      'm.yaml:1:1: /calender is not a known field here; did you mean "calendars"?',
      expect.stringMatching(
        /^m.yaml:5:17: \/workflows\/0\/triggers\/0\/on must be .*; did you mean "contact.created"\?$/,
      ),
      'm.yaml:5:61: /workflows/0/triggers/1/were is not a known field here; did you mean "where"?',
      'm.yaml:7:10: /workflows/0/steps/0/sned is not a known field here; did you mean "send"?',
      expect.stringMatching(
        /^m.yaml:8:17: \/workflows\/0\/steps\/1\/send\/channel must be one of .*; did you mean "sms"\?$/,
      ),
      'm.yaml:9:10: /workflows/0/steps/2/wait needs either for or until',
    ]);
  });

  test('never with the value of a variable', async () => {
    const text = [
      'subAccount: {timezone: "${env:SECRET}", currency: "${env:SECRET}"}',
      'channels: {sms: {provider: "${env:SECRET}", accountSid: "${env:SECRET}", from: "${env:SECRET}"}}',
      'team: [{key: a, name: A, externalCalendar: {type: ics, url: "${env:SECRET}"}}]',
    ].join('\n');
    const refusals = await refusalsOf(text, { SECRET: 'hunter2' });
    expect(refusals).toHaveLength(6);
    expect(refusals.join()).not.toContain('hunter2');
  });
});

describe('a large manifest of mistakes is refused at once', () => {
  const lines = (count: number, line: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => line(at)).join('');
  const doubled = (at: number) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n`;

  test.each([
    ['unknown members', lines(40_000, (at) => `k${at}: 1\n`), /39800 more issues$/],
    ['repeated members', 'a:\n'.repeat(150_000), /^m.yaml:2:1: \/a is given twice/],
    ['unknown anchors', `a: [${'*a,'.repeat(40_000)}]`, /^m.yaml:1:5: .*&a, which is not defined/],
    ['aliases', `a: &a [x]\nb: [${'*a,'.repeat(40_000)}]`, /Excessive alias count/],
    [
      'aliases of a long list',
      `a: &a [${'x,'.repeat(40_000)}]\nb: [${'*a,'.repeat(90)}]`,
      /contains more than 300000 values$/,
    ],
    [
      'aliases of a long text',
      `a: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(90)}]`,
      /the file repeats more than 5000000 characters with aliases$/,
    ],
    ['aliases of aliases', `a0: &a0 [0,0]\n${lines(40, doubled)}`, /more than 300000 values$/],
    ['an alias inside itself', 'a: &a [*a]\n', /^m.yaml:1:8: \/a\/0 is inside the value that it/],
    [
      'a list that contains itself and much else',
      `a: &a [${'0,'.repeat(4_900)}*a]\n`,
      /^m.yaml:1:9808: \/a\/4900 is inside the value that it refers to/,
    ],
    [
      'a name that contains itself',
      '%YAML 1.1\n---\na: &a {<<: *a}',
      /\/a\/<< is inside the value/,
    ],
    [
      'a long name',
      `{${'k'.repeat(20_000)}: 1}`,
      /the file has a value whose path has more than 10000/,
    ],
    [
      'many values below a long name',
      `a: {${'k'.repeat(9_000)}: [${'"\\0",'.repeat(40_000)}]}`,
      /the file has values whose paths have more than 50000000 characters together$/,
    ],
  ])('%s', async (_, text, says) => {
    const before = process.threadCpuUsage();
    expect((await refusalsOf(text)).join('\n')).toMatch(says);
    const { user, system } = process.threadCpuUsage(before);
    const took = (user + system) / 1_000;
    expect(took).toBeLessThan(20_000);
  });
});
