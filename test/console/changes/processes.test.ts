import { expect, onTestFinished, test } from 'vitest';
import { bindKey } from '../../support/bind-key.ts';
import { createDatabase } from '../../support/database.ts';
import { follow } from '../../support/event-source.ts';
import { frontdesk, newKey, startFrontdesk, type Variables } from '../../support/frontdesk.ts';
import { SAME_ORIGIN } from '../../support/people.ts';

const json = async (line: string, variables: Variables): Promise<any> => {
  const { code, stdout, stderr } = await frontdesk([...line.split(' '), '--json'], variables);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

const serve = async (variables: Variables): Promise<string> =>
  (await startFrontdesk(['serve', '--port', '0'], variables)).said.url;

/** Signs a new admin in; returns the value of the `Cookie` header. */
async function signIn(url: string, subAccountId: string, variables: Variables): Promise<string> {
  const line = `admin user invite --email ada@example.com --role admin --sub-account ${subAccountId}`;
  const { link } = await json(line, variables);
  const headers = { ...SAME_ORIGIN, 'content-type': 'application/json' };
  const body = JSON.stringify({ token: link.split('#')[1] });
  const answer = await fetch(`${url}/console/api/sign-in/link`, { method: 'POST', headers, body });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

test('changes through one server arrive in the streams of another, also of a second sub-account', async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
  await bindKey(variables);
  const ids: string[] = [];
  for (const name of ['Harbour', 'Hill']) {
    ids.push((await json(`admin sub-account create --name ${name}`, variables)).id);
  }
  const [one, other] = [await serve(variables), await serve(variables)];
  const streams = [];
  for (const id of ids) {
    const cookie = await signIn(other, id, variables);
    const path = `/console/api/v1/stream?subAccountId=${id}`;
    const stream = await follow(other + path, { ...SAME_ORIGIN, cookie });
    onTestFinished(() => stream.leave());
    await stream.until(1);
    streams.push(stream);
  }
  for (const [index, id] of ids.entries()) {
    const line = `admin key create --sub-account ${id} --name Tasks --scopes tasks:write`;
    const { key } = await json(line, variables);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ title: 'Call' });
    const answer = await fetch(`${one}/api/v1/tasks`, { method: 'POST', headers, body });
    const { data } = (await answer.json()) as { data: { id: string } };
    await streams[index]?.until(2);
    expect(streams[index]?.events.map((event) => event.data)).toEqual([
      { topic: 'ready', id: null },
      { topic: 'task', id: data.id },
    ]);
  }
});
