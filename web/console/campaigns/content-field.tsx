import { useState } from 'react';
import { TextField } from '../ui/field.tsx';
import { Switch } from '../ui/switch.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import { htmlOfText, textOfHtml } from './content-text.ts';

const ROWS = 12;

interface ContentFieldProps {
  readonly content: string;
  /** Whether the content is HTML; otherwise it is plain text. */
  readonly isHtml: boolean;
  readonly onChange: (content: string) => void;
  readonly onWriteHtml: (on: boolean) => void;
  readonly error: string | undefined;
}

/** The content of a mail, as plain text or as HTML. */
export function ContentField(props: ContentFieldProps) {
  const { compose } = useCampaignMessages();
  return (
    <>
      <TextField
        label={compose.content}
        description={props.isHtml ? compose.htmlHint : compose.textHint}
        rows={ROWS}
        value={props.content}
        onChange={props.onChange}
        error={props.error}
        isRequired
      />
      <Switch isSelected={props.isHtml} onChange={props.onWriteHtml}>
        {compose.writeHtml}
      </Switch>
    </>
  );
}

interface HtmlFieldProps {
  readonly html: string;
  readonly onChange: (html: string) => void;
  readonly error: string | undefined;
}

/** The same for content that is stored as HTML: plain text is shown if that is what it was made of. */
export function HtmlContentField({ html, onChange, error }: HtmlFieldProps) {
  const [typed, setTyped] = useState<string>();
  const [wantsHtml, setWantsHtml] = useState(false);
  // Spaces at the end of the typed text are not in the HTML.
  const text = typed !== undefined && htmlOfText(typed) === html ? typed : textOfHtml(html);
  const isHtml = wantsHtml || text === undefined;
  const change = (content: string) => {
    setTyped(isHtml ? undefined : content);
    onChange(isHtml ? content : htmlOfText(content));
  };
  return (
    <ContentField
      content={isHtml ? html : text}
      isHtml={isHtml}
      onChange={change}
      onWriteHtml={setWantsHtml}
      error={error}
    />
  );
}
