import { signInAs } from '../../support/people.ts';
import { expect, type TestService } from '../../support/service.ts';

/** Asks as an admin, and returns the data. */
export async function why(service: TestService, query: Record<string, string>) {
  const { call } = await signInAs(service, 'admin');
  const answer = await call(`GET /console/api/v1/why?${new URLSearchParams(query).toString()}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

/** The rules of the reasons, in order. */
export const rulesOf = ({ reasons }: { reasons: { rule: string }[] }) =>
  reasons.map(({ rule }) => rule);
