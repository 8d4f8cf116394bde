import { expect, test } from 'vitest';
import { shownSubjects } from '../../web/console/inbox/shown-subjects.ts';

test('the subject of a mail is shown where it differs from the mail before, apart from Re:', () => {
  const shown = shownSubjects([
    { id: 'first', subject: 'Your appointment' },
    { id: 'reply', subject: 'Re: Your appointment' },
    { id: 'none', subject: null },
    { id: 'again', subject: 'AW: RE: your appointment ' },
    { id: 'other', subject: 'Re: Invoice' },
    { id: 'back', subject: 'Your appointment' },
  ]);
  expect([...shown]).toEqual([
    ['first', 'Your appointment'],
    ['other', 'Re: Invoice'],
    ['back', 'Your appointment'],
  ]);
});
