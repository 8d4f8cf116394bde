import { expect, test } from 'vitest';
import { brandedMail } from '../../../src/booking/notices/branded-mail.ts';
import { mergedHtml } from '#lib/merge-fields.ts';

const PLAIN = { name: 'Harbour <Dental>', color: null, logoUrl: null };
const TEXT =
  'Dear {{fullName}},\n1 < 2. See https://harbour.example/map?a=1&b=2.\n\nCancel or move: {{appointment.link}}';

test('a business without color and logo writes plain text', () => {
  expect(brandedMail(PLAIN, TEXT, 'en-GB')).toBeUndefined();
});

test('a mail has the logo, the color, paragraphs, and addresses as links; texts are escaped', () => {
  const logoUrl = 'https://cdn.example/logo.svg?a=1&b=2';
  const mail = brandedMail({ ...PLAIN, color: '#fff4c2', logoUrl }, TEXT, 'en-GB') ?? '';
  const link = 'https://desk.example/book/manage/abc';
  const merged = mergedHtml(mail, { fullName: 'Ada <b>', 'appointment.link': link });
  expect(merged).toContain('border-top:4px solid #fff4c2');
  expect(merged).toContain('<img src="https://cdn.example/logo.svg?a=1&amp;b=2" alt=""');
  expect(merged).toContain('Harbour &lt;Dental&gt;');
  expect(merged).toContain('Dear Ada &lt;b&gt;,<br />1 &lt; 2. See <a');
  expect(merged).toMatch(
    /<a href="https:\/\/harbour\.example\/map\?a=1&amp;b=2" style="color:#[\da-f]{6}">/,
  );
  expect(merged).toContain(`<a href="${link}"`);
  expect(merged.match(/<p /g)).toHaveLength(3);
});

test('a logo alone brands a mail, too', () => {
  expect(brandedMail({ ...PLAIN, logoUrl: 'https://cdn.example/l.png' }, 'Hi', 'en-GB')).toContain(
    'l.png',
  );
});

test('a mail names its language and the direction of its script', () => {
  const brand = { ...PLAIN, color: '#2456a6' };
  expect(brandedMail(brand, 'Hallo', 'de-DE')).toContain('<html lang="de-DE">');
  expect(brandedMail(brand, 'مرحبا', 'ar-EG')).toContain('<html lang="ar-EG" dir="rtl">');
});
