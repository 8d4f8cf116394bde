import { describe, expect, test } from 'vitest';
import { upText } from '../../../src/commands/up/up-text.ts';

const URL = 'http://localhost:8080';
const started = {
  url: URL,
  place: '/home/ada/frontdesk/data',
  environmentFile: '/home/ada/frontdesk/data/frontdesk.env',
  authority: undefined,
  options: '',
};
const CERTIFICATE = '/home/ada/frontdesk/data/https-certificate.pem';
const demo = {
  subAccountId: '0198c0de-0000-7000-8000-000000000000',
  key: 'fd_live_abcdefghijklmnopqrstuvwxyz0123456789ABCDEF',
  formId: '0198c0de-0000-7000-8000-000000000001',
};

describe.each([
  ['the first start', upText({ ...started, demo: undefined })],
  ['the demo', upText({ ...started, demo })],
  ['the demo with --https', upText({ ...started, demo, authority: CERTIFICATE })],
])('%s', (_, text) => {
  const lines = text.split('\n');

  test('fits 80 columns, except for URLs', () => {
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('http'))).toEqual([]);
  });

  test('has one block to paste, without indentation, in working order', () => {
    const start = lines.findIndex((line) => /^\w/.test(line));
    const block = lines.slice(start, lines.indexOf('', start));
    expect(block[0]).toBe('export FRONTDESK_ENV_FILE=/home/ada/frontdesk/data/frontdesk.env');
    expect(block.filter((line) => line.startsWith('curl '))).toHaveLength(1);
    expect(
      lines.filter((line) => /^(?:export|bin|curl) /.test(line) && !block.includes(line)),
    ).toEqual([]);
  });

  test('names one host', () => {
    const hosts = [...text.matchAll(/https?:\/\/[^/\s]+/g)].map(([url]) => url);
    expect(new Set(hosts)).toEqual(new Set([URL]));
  });
});

test('the first start mentions the demo', () => {
  const options = ' --port 8090 --data /srv/frontdesk';
  expect(upText({ ...started, options, demo: undefined })).toContain(
    'npm start -- --demo --port 8090 --data /srv/frontdesk',
  );
  expect(upText({ ...started, demo: undefined })).toContain('npm start -- --demo');
});

test('the demo shows its key once, and links to the chat, the booking page and the form', () => {
  const text = upText({ ...started, demo });
  expect(text.split(demo.key)).toHaveLength(2);
  for (const path of [
    `/chat/demo?subAccountId=${demo.subAccountId}`,
    `/book/${demo.subAccountId}/check-up`,
    `/f/${demo.formId}`,
  ]) {
    expect(text).toContain(`${URL}${path}`);
  }
});

test('the block of the demo sets what the examples of the documentation read', () => {
  const text = upText({ ...started, demo });
  for (const line of [
    `export FRONTDESK_URL=${URL}`,
    `export FRONTDESK_API_KEY=${demo.key}`,
    `export SUB=${demo.subAccountId}`,
  ]) {
    expect(text.split('\n')).toContain(line);
  }
});

test('with --https the commands trust the certificate of this machine', () => {
  for (const one of [demo, undefined]) {
    const text = upText({ ...started, demo: one, authority: CERTIFICATE });
    expect(text).toContain(`export NODE_EXTRA_CA_CERTS=${CERTIFICATE}\n`);
    expect(text).toContain('curl --cacert "$NODE_EXTRA_CA_CERTS" \\\n');
  }
  expect(upText({ ...started, demo })).not.toContain('CA_CERTS');
});
