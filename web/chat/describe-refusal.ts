import type { Refusal } from './call.ts';
import { describeWait } from './describe-wait.ts';
import { words } from './words.ts';

/** Why something did not go, in words for the visitor. */
export function describeRefusal({ status, waitS }: Refusal): string {
  if (status === 429) {
    return words.tooMany(describeWait(waitS));
  }
  if (status === 404) {
    return words.goneChat;
  }
  return status >= 400 && status < 500 ? words.refused : words.noAnswer;
}
