import { useChatFields } from './field-lists.ts';
import { SingleTab } from './single-form.tsx';

/** The live chat on websites. */
export function ChatTab() {
  const fields = useChatFields();
  return <SingleTab section="chat" fieldsFor={() => fields} />;
}
