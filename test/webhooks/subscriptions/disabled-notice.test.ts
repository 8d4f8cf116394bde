import { expect, test } from 'vitest';
import { ENDED_ITS_WORKERS } from '../../../src/platform/queue/give-up.ts';
import {
  ALWAYS_FAILED,
  disabledNotice,
  RECEIVER_GONE,
} from '../../../src/webhooks/subscriptions/disabled-notice.ts';

const URL = 'https://crm.example.com/hooks/1';

test('the admins read in their language that webhooks are disabled, and why', () => {
  expect(disabledNotice(URL, RECEIVER_GONE, 'de-AT')).toMatchObject({
    subject: 'Webhooks an crm.example.com sind abgeschaltet',
    text: expect.stringContaining('Der Empfänger hat mit 410 Gone geantwortet.'),
  });
  const subjects = ['en', 'de', 'es', 'fr'].map((locale) => {
    const notices = ([RECEIVER_GONE, ALWAYS_FAILED, ENDED_ITS_WORKERS] as const).map((reason) =>
      disabledNotice(URL, reason, locale),
    );
    expect(new Set(notices.map(({ text }) => text)).size).toBe(3);
    for (const { text } of notices) {
      expect(text).toContain(URL);
      expect(text).toContain('frontdesk admin delivery replay');
    }
    return notices[0]?.subject;
  });
  expect(new Set(subjects).size).toBe(4);
  expect(disabledNotice(URL, RECEIVER_GONE, 'nl').subject).toBe(subjects[0]);
});
