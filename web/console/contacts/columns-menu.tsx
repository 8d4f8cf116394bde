import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { Menu, MenuChecks } from '../ui/menu.tsx';
import type { ChosenColumn } from './contact-columns.ts';

interface ColumnsMenuProps {
  readonly all: readonly ChosenColumn[];
  readonly chosen: readonly ChosenColumn[];
  readonly onChange: (columns: readonly string[]) => void;
}

/** Chooses the columns of the list. */
export function ColumnsMenu({ all, chosen, onChange }: ColumnsMenuProps) {
  const { contactList } = useMessages();
  return (
    <Menu label={contactList.columns} trigger={<Button icon="panel">{contactList.columns}</Button>}>
      <MenuChecks
        title={contactList.columns}
        values={chosen.map(({ id }) => id)}
        options={all}
        onChange={onChange}
      />
    </Menu>
  );
}
