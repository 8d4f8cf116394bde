import { apply, run } from '../../support/manifest.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';

const MANIFEST = {
  lists: [{ key: 'clients', name: 'Clients' }],
  templates: [
    { key: 'newsletter', name: 'Newsletter', html: '{{content}}', defaultList: 'clients' },
  ],
};

const refusal = async ({ call }: TestService, layout: string) => {
  const body = { name: 'May', subject: 'Hi', contentHtml: '<p>Hi</p>', layout };
  const reply = await call('POST /api/v1/campaigns', { body });
  return [reply.status, reply.body.error.code, reply.body.error.message];
};

describe('a campaign whose layout is the key of a template', () => {
  test('is refused with the names of the templates of its own sub-account', async ({ service }) => {
    await apply(service, MANIFEST);
    await apply(service, MANIFEST, { to: service.otherSubAccountId });
    expect(await refusal(service, 'newsletter')).toEqual([
      400,
      'layout_not_found',
      'layout_not_found: no template has the name "newsletter"; use the name of a template: "Newsletter"',
    ]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is refused with a hint if the sub-account has no templates', async ({ service }) => {
    const [, , message] = await refusal(service, 'newsletter');
    expect(message).toContain(
      'the sub-account has no templates: add one to templates in the manifest',
    );
  });
});

test('a template that no campaign can use is applied with a warning', async ({ service }) => {
  const [newsletter] = MANIFEST.templates;
  const { cautions } = await run(service, {
    ...MANIFEST,
    templates: [newsletter, { key: 'bare', name: 'Bare', html: '<p>Hello</p>' }],
  });
  expect(cautions).toEqual([
    'templates: the template "Bare" contains {{content}} 0 times, but must contain it exactly once: campaigns cannot use it',
  ]);
  const [status, code] = await refusal(service, 'Bare');
  expect([status, code]).toEqual([400, 'layout_invalid']);
});
