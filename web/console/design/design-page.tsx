import { useState, type ReactNode } from 'react';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import { THEMES, useTheme } from '../shell/theme.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge, Count } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SearchField, TextField } from '../ui/field.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { Select } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Checkbox, Switch } from '../ui/switch.tsx';
import { Table } from '../ui/table.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { showToast } from '../ui/toast.tsx';
import styles from './design.module.css';

const LONG = 'Konstantin Alexandrowitsch von Hohenzollern-Sigmaringen-Oberschwaben';

/** Every part in every state, for developers; it is not in releases. */
export function DesignPage() {
  const [theme, setTheme] = useTheme();
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>Design</h1>
        <Select
          label="Theme"
          isLabelHidden
          value={theme}
          options={THEMES.map((id) => ({ id, label: id }))}
          onChange={setTheme}
        />
      </header>
      <Colours />
      <Buttons />
      <Fields />
      <Overlays />
      <Records />
      <States />
    </main>
  );
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={styles.section} aria-label={title}>
    <h2 className={styles.heading}>{title}</h2>
    <div className={styles.parts}>{children}</div>
  </section>
);

const SURFACES = ['canvas', 'surface', 'raised', 'sunken', 'hover', 'pressed', 'selected'];
const TEXTS = [
  'text-strong',
  'text',
  'text-quiet',
  'text-faint',
  'accent-text',
  'good',
  'warn',
  'bad',
];
const SIZES = ['tiny', 'small', 'body', 'large', 'title', 'display'];

const Colours = () => (
  <Section title="Tokens">
    {SURFACES.map((name) => (
      <div key={name} className={styles.swatch} style={{ background: `var(--${name})` }}>
        {name}
        {TEXTS.map((text) => (
          <span key={text} style={{ color: `var(--${text})` }}>
            {text}
          </span>
        ))}
      </div>
    ))}
    {SIZES.map((size) => (
      <span key={size} style={{ fontSize: `var(--size-${size})` }}>
        {size}
      </span>
    ))}
  </Section>
);

const Buttons = () => (
  <Section title="Buttons">
    {(['primary', 'secondary', 'ghost', 'danger'] as const).map((look) => (
      <div key={look} className={styles.row}>
        <Button look={look}>{look}</Button>
        <Button look={look} icon="plus">
          With icon
        </Button>
        <Button look={look} isSmall>
          Small
        </Button>
        <Button look={look} isDisabled>
          Disabled
        </Button>
        <Button look={look} isPending>
          Pending
        </Button>
      </div>
    ))}
    <IconButton icon="archive" label="Archive" shortcut="E" />
    <IconButton icon="more" label="More" isSmall />
  </Section>
);

function Fields() {
  const [text, setText] = useState('');
  return (
    <Section title="Fields">
      <TextField label="Name" value={text} onChange={setText} placeholder="Ada Lovelace" />
      <TextField label="Invalid" defaultValue="ada@" error="Enter an email address." />
      <TextField label="Disabled" isDisabled defaultValue={LONG} />
      <TextField label="Notes" rows={3} description="Your team sees this." />
      <SearchField label="Search contacts" />
      <Select
        label="Stage"
        value="lead"
        options={[{ id: 'lead', label: LONG }]}
        onChange={() => undefined}
      />
      <Switch>Internal note</Switch>
      <Switch defaultSelected>Internal note, on</Switch>
      <Switch isDisabled>Disabled</Switch>
      <Checkbox>contacts:read</Checkbox>
      <Checkbox defaultSelected>contacts:write</Checkbox>
    </Section>
  );
}

function Overlays() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title="Overlays">
      <Menu label="Menu" trigger={<Button>Open menu</Button>}>
        <MenuItem icon="unread" shortcut="U">
          Mark as unread
        </MenuItem>
        <MenuItem icon="archive" isDisabled>
          Archive
        </MenuItem>
        <MenuItem icon="close" isDangerous>
          Delete
        </MenuItem>
        <MenuSeparator />
        <MenuChoice
          title="Views"
          value="a"
          options={[{ id: 'a', label: LONG }]}
          onChoose={() => undefined}
        />
      </Menu>
      <Button onPress={() => setOpen(true)}>Open dialog</Button>
      <Dialog
        title="Dialog"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={<Button>Save</Button>}
      >
        {LONG}
      </Dialog>
      <Button
        onPress={() =>
          showToast({
            text: 'Conversation closed',
            action: { label: 'Undo', onPress: () => undefined },
          })
        }
      >
        Show notice
      </Button>
      <Button
        onPress={() =>
          showToast({ text: 'That did not work', detail: 'Request 0190', isError: true })
        }
      >
        Show error
      </Button>
    </Section>
  );
}

const ROWS = [
  { id: '1', name: 'Ada Lovelace', value: '€1,200' },
  { id: '2', name: LONG, value: '€12' },
];

function Records() {
  const [tab, setTab] = useState('timeline');
  return (
    <Section title="Records">
      <div className={styles.row}>
        <Avatar name="Ada Lovelace" />
        <Avatar name={LONG} />
        <Avatar name="李雷" isSmall />
        <Avatar name="Ada Lovelace" picture="/favicon.ico" />
        <Badge>Lead</Badge>
        <Badge tone="accent">Snoozed</Badge>
        <Badge tone="good">Delivered</Badge>
        <Badge tone="warn">Unverified visitor</Badge>
        <Badge tone="bad">Failed</Badge>
        <Count value={3} />
        <Count value={128} isStrong />
      </div>
      <Table
        label="Deals"
        rows={ROWS}
        columns={[
          { id: 'name', title: 'Name', cell: ({ name }) => name },
          { id: 'value', title: 'Value', cell: ({ value }) => value, isNumber: true },
        ]}
        hrefOf={() => '/design'}
        empty={null}
      />
      <Tabs
        label="Contact"
        selected={tab}
        onSelect={setTab}
        items={[
          { id: 'timeline', label: 'Timeline', content: 'Timeline' },
          { id: 'details', label: 'Details', content: 'Details' },
        ]}
      />
    </Section>
  );
}

const ERROR = new FrontdeskError({
  code: 'INTERNAL',
  message: 'the database cannot be reached',
  status: 503,
  requestId: '0190a5f2-7c1d-7000-8000-000000000000',
});

const States = () => (
  <Section title="States">
    <EmptyState
      icon="inbox"
      title="No conversations yet"
      action={<Button icon="plus">New conversation</Button>}
    >
      Messages from live chat, mail and SMS arrive here.
    </EmptyState>
    <ErrorState error={ERROR} onRetry={() => undefined} />
    <div className={styles.wide}>
      <SkeletonRows count={3} isTall />
    </div>
  </Section>
);
