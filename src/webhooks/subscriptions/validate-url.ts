import { invalidField, type Fault } from '#core/fault.ts';
import type { Tools } from '#core/tools.ts';

interface Addressed {
  readonly body: { readonly url?: string };
  readonly tools: Tools;
}

/** Why deliveries may not go to the URL that a body names, where it names one; looks its host up. */
export async function urlIssue({ body, tools }: Addressed): Promise<Fault | undefined> {
  const refusal = body.url === undefined ? undefined : await tools.outbound.refusal(body.url);
  return refusal === undefined ? undefined : invalidField('/url', `is refused: ${refusal}`);
}
