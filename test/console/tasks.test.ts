import { signInAs } from '../support/people.ts';
import { expect, test } from '../support/service.ts';
import { newContact, newTask } from '../tasks/tasks.support.ts';

test('the list names the contacts of tasks', async ({ service }) => {
  const { call } = await signInAs(service, 'viewer');
  const contactId = await newContact(service);
  const { id } = await newTask(service, { title: 'Call back', contactId });
  const { id: other } = await newTask(service, { title: 'Clean up' });
  const { body } = await call('GET /console/api/v1/tasks?status=todo');
  expect(body.data.map((task: any) => [task.id, task.contactId, task.contactName])).toEqual([
    [other, null, null],
    [id, contactId, 'Ada Lovelace'],
  ]);
  expect(body.meta.total).toBe(2);
  const found = await call(`GET /console/api/v1/tasks?contactId=${contactId}`);
  expect(found.body.data.map((task: any) => task.contactName)).toEqual(['Ada Lovelace']);
});
