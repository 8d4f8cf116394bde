import { describe, expect, test } from 'vitest';
import { openFieldsInHost, urlRefusal } from '#lib/merge-url.ts';

describe('the host of a URL', () => {
  test.for([
    'https://{{firstName}}/x',
    'https://{{firstName}}',
    'https://api.example.com{{firstName}}/x',
    'https://api.example.com{{firstName|/}}/x',
    'https://{{custom_values.host}}{{firstName}}',
    'https:///{{firstName}}/x',
    'https://\\{{firstName}}/x',
    'https://user@{{firstName}}?x',
    'HTTPS://{{firstName}}#x',
  ])('may not have a field of the contact: %s', (url) => {
    expect(openFieldsInHost(url)).toEqual(['{{firstName}}']);
    expect(urlRefusal(url, { firstName: 'evil.example' })).toContain('{{firstName}} in the host');
  });

  test.for([
    'https://example.com/{{firstName}}',
    'https://example.com?a={{firstName}}',
    'https://example.com#{{firstName}}',
    'https://{{custom_values.host}}/{{firstName}}',
    'https://{{custom_values.host|example.com}}/',
  ])('may be one of the business: %s', (url) => {
    expect(openFieldsInHost(url)).toEqual([]);
    expect(urlRefusal(url, { firstName: 'evil.example' })).toBeUndefined();
  });
});

describe('the path of a URL', () => {
  test.for([
    ['https://example.com/v1/{{company}}/notes', '..'],
    ['https://example.com/v1/{{company}}/notes', '.'],
    ['https://example.com/v1/{{company}}', '..'],
    ['https://example.com/v1/{{company}}?a=1', '..'],
    ['https://example.com/v1/.{{company}}/notes', '.'],
    ['https://example.com/v1/%2E{{company}}/notes', '.'],
    ['https://example.com/v1\\{{company}}\\notes', '..'],
    ['https://example.com/v1/{{company}}{{company}}/notes', '.'],
  ] as const)('does not follow dots of a value: %s, %s', ([url, company]) => {
    expect(urlRefusal(url, { company })).toContain('leads to another address');
  });

  test.for([
    ['https://example.com/v1/{{company}}/notes', 'a..b'],
    ['https://example.com/v1/{{company}}/notes', '../..'],
    ['https://example.com/v1/{{company}}/notes', '...'],
    ['https://example.com/v1/x{{company}}/notes', '..'],
    ['https://example.com/v1/../{{company}}', 'x'],
    ['https://example.com/?a=/{{company}}/', '..'],
    ['https://example.com/{{company}}', ''],
  ] as const)('may have other values: %s, %s', ([url, company]) => {
    expect(urlRefusal(url, { company })).toBeUndefined();
  });
});
