import { useState } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { WhyQuery } from './why-queries.ts';
import { WhyReasons } from './why-reasons.tsx';

interface WhyButtonProps {
  readonly query: WhyQuery;
  readonly label?: string;
  /** Of the dialog. */
  readonly title?: string;
}

/** A button that explains why something did not happen: the rule, the record and the moment. */
export function WhyButton({ query, ...texts }: WhyButtonProps) {
  const { why } = useMessages();
  const { label = why.ask, title = label } = texts;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isSmall look="ghost" onPress={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog title={title} isOpen onClose={() => setOpen(false)}>
          <WhyReasons query={query} />
        </Dialog>
      )}
    </>
  );
}
