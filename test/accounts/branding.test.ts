import { exported, apply } from '../support/manifest.ts';
import { describe, expect, test } from '../support/service.ts';
import { open } from '../booking/pages/page.support.ts';
import { calendarOf } from '../support/calendars.ts';

const BRANDED = { brandColor: '#0A7D5A', logoUrl: 'https://cdn.example/logo.svg?size=64' };

describe('the brand in the manifest', () => {
  test('round-trips through an export, and fires no event', async ({ service }) => {
    await apply(service, { subAccount: BRANDED });
    const { subAccount } = await exported(service);
    expect(subAccount).toMatchObject({ ...BRANDED, brandColor: '#0a7d5a' });
    expect((await apply(service, { subAccount })).updated).toEqual([]);
    expect((await apply(service, { subAccount: { brandColor: '#0a7D5a' } })).updated).toEqual([]);
    await apply(service, { subAccount: { brandColor: '#fA0', logoUrl: null } });
    expect((await exported(service)).subAccount).toMatchObject({ brandColor: '#ffaa00' });
    expect((await exported(service)).subAccount).not.toHaveProperty('logoUrl');
    expect(await service.eventNames()).toEqual([]);
  });

  test.for([
    [{ brandColor: 'green' }, '/subAccount/brandColor'],
    [{ brandColor: '#12345' }, '/subAccount/brandColor'],
    [{ brandColor: '#fff}*{display:none}' }, '/subAccount/brandColor'],
    [{ logoUrl: 'http://cdn.example/logo.svg' }, '/subAccount/logoUrl'],
    [{ logoUrl: 'data:image/svg+xml,<svg/>' }, '/subAccount/logoUrl'],
    [{ logoUrl: 'https://user:secret@cdn.example/logo.svg' }, '/subAccount/logoUrl'],
    [{ logoUrl: 'logo.svg' }, '/subAccount/logoUrl'],
  ] as const)('refuses %j', async ([wrong, path], { service }) => {
    await expect(apply(service, { subAccount: wrong })).rejects.toThrow(path);
  });
});

describe('the policy of a page', () => {
  test('allows exactly the brand’s style and logo', async ({ service }) => {
    await calendarOf(service);
    const policyOf = async () => {
      const { headers } = await open(service, `/book/${service.subAccountId}`);
      return headers.get('content-security-policy')?.split('; ') ?? [];
    };
    expect(await policyOf()).toEqual(
      expect.arrayContaining(["style-src 'self'", "img-src 'self' data:"]),
    );
    await apply(service, { subAccount: { ...BRANDED, logoUrl: 'https://cdn.example/a;b,c.svg' } });
    await expect.poll(policyOf).toContain("img-src 'self' data: https://cdn.example/a%3Bb%2Cc.svg");
    expect(await policyOf()).toContainEqual(
      expect.stringMatching(/^style-src 'self' 'sha256-[\w+/]{43}='$/),
    );
  });
});
