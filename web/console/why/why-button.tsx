import { useState } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { WhyQuery } from './why-queries.ts';
import { WhyReasons } from './why-reasons.tsx';

/** A button that explains why something did not happen: the rule, the record and the moment. */
export function WhyButton({ query }: { readonly query: WhyQuery }) {
  const { why } = useMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isSmall look="ghost" onPress={() => setOpen(true)}>
        {why.ask}
      </Button>
      {isOpen && (
        <Dialog title={why.ask} isOpen onClose={() => setOpen(false)}>
          <WhyReasons query={query} />
        </Dialog>
      )}
    </>
  );
}
