import { bookNext } from '../../support/calendars.ts';
import { expect, test } from '../../support/service.ts';
import { setUpForm, submitted } from '../../forms/forms.support.ts';
import { EMAIL, FIELDS, tokenFor } from '../../forms/form-files.support.ts';

test('nested records are written like the others, without spaces', async ({ service }) => {
  await bookNext(service);
  await service.call('POST /api/v1/conversations', {
    body: {
      contactId: (await service.call('GET /api/v1/contacts')).body.data[0].id,
      channel: 'email',
    },
  });
  const formId = await setUpForm(service, { fields: FIELDS });
  await submitted(service, formId, { ...EMAIL, photo: await tokenFor(service, formId) });
  const nested = {
    'calendars/appointments': 'contact',
    conversations: 'contact',
    'forms/submissions': 'attachments',
  };
  for (const [path, member] of Object.entries(nested)) {
    const headers = { authorization: `Bearer ${service.keys.full}` };
    const response = await fetch(`${service.url}/api/v1/${path}`, { headers });
    const text = await response.text();
    const [record] = JSON.parse(text).data;
    expect(text).toContain(`"${member}":${JSON.stringify(record[member])}`);
  }
});
