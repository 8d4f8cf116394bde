import type { JSX } from 'react';

/** The shapes, drawn on a grid of 24 with round strokes. */
const SHAPES = {
  inbox: 'M3 13h5l2 3h4l2-3h5M3 13v5a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2v-5M3 13l3-8h12l3 8',
  contacts:
    'M16 20v-1.5a4 4 0 0 0-4-4H7a4 4 0 0 0-4 4V20M9.5 10.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M21 20v-1.5a4 4 0 0 0-3-3.9M15.5 3.7a3.5 3.5 0 0 1 0 6.7',
  calendar:
    'M5 5h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2ZM3 10h18M8 3v4M16 3v4',
  opportunities: 'M4 4h4v16H4zM10 4h4v10h-4zM16 4h4v13h-4z',
  tasks: 'M9 11l3 3 8-8M20 12v6a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h9',
  campaigns: 'M4 10v4a1 1 0 0 0 1 1h3l8 5V4L8 9H5a1 1 0 0 0-1 1ZM19.5 9a4 4 0 0 1 0 6',
  workflows: 'M4 3h6v6H4zM14 15h6v6h-6zM7 9v4a2 2 0 0 0 2 2h5',
  webhooks: 'M9 17H7A5 5 0 0 1 7 7h2M15 7h2a5 5 0 0 1 0 10h-2M8 12h8',
  approvals: 'M12 3l7.5 3v5.5c0 4.5-3 7.8-7.5 9.5-4.5-1.7-7.5-5-7.5-9.5V6zM8.5 12l2.5 2.5 4.5-5',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  search: 'M10.5 18a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM21 21l-5-5',
  close: 'M6 6l12 12M18 6L6 18',
  trash: 'M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5M14 11v5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  checks: 'M2.5 12.5L7 17l9.5-9.5M12.5 17L22 7.5M11 15.5l1.5 1.5',
  chevronDown: 'M6 9.5l6 6 6-6',
  chevronUp: 'M6 14.5l6-6 6 6',
  chevronUpDown: 'M8 9.5l4-4 4 4M8 14.5l4 4 4-4',
  chevronLeft: 'M14.5 6l-6 6 6 6',
  chevronRight: 'M9.5 6l6 6-6 6',
  back: 'M19 12H5M11 18l-6-6 6-6',
  plus: 'M12 5v14M5 12h14',
  more: 'M5 12.5a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1ZM12 12.5a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1ZM19 12.5a.5.5 0 1 0 0-1 .5.5 0 0 0 0 1Z',
  user: 'M19 20v-1a5 5 0 0 0-5-5h-4a5 5 0 0 0-5 5v1M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8Z',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2',
  archive: 'M3 4h18v5H3zM5 9v11h14V9M10 13h4',
  clip: 'M20 11.5l-8.2 8.2a5 5 0 0 1-7.1-7.1l8.5-8.5a3.4 3.4 0 0 1 4.8 4.8l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.8-7.8',
  file: 'M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zM14 3v5h5',
  send: 'M21 3L10.5 13.5M21 3l-6.5 18-4-7.5L3 9.5z',
  note: 'M5 3h14v12l-6 6H5zM13 21v-6h6M9 8h6M9 12h3',
  warning: 'M12 3.5L2.5 20h19zM12 10v4.5M12 17.2h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5M12 8h.01',
  mail: 'M3 5h18v14H3zM3.5 6l8.5 7 8.5-7',
  chat: 'M20 4H4v12h4v4l5-4h7z',
  phone:
    'M8 2.5h8A1.5 1.5 0 0 1 17.5 4v16a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 20V4A1.5 1.5 0 0 1 8 2.5ZM11 18.5h2',
  social:
    'M12 3c5 0 9 3.6 9 8.2s-4 8.2-9 8.2c-.9 0-1.8-.1-2.6-.3L5.5 21v-3.2C4 16.2 3 13.8 3 11.2 3 6.6 7 3 12 3ZM8 12.8l2.7-2.7 2.6 2.2L16 9.6',
  key: 'M14.5 14a5.5 5.5 0 1 0-5-3.2L3 17.2V21h3.8v-2.5h2.5V16l1.3-1.3M16 8h.01',
  logout: 'M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4M16 17l5-5-5-5M21 12H9',
  theme: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 3v18M12 8l7-2M12 13l9-1M12 18l6.5 0',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10',
  notify: 'M18 9a6 6 0 1 0-12 0c0 6-2.5 7-2.5 7h17S18 15 18 9ZM10 20a2.2 2.2 0 0 0 4 0',
  offline:
    'M3 3l18 18M8.5 15.5a5 5 0 0 1 7 0M5 12a10 10 0 0 1 4-2.5M14.5 9.3A10 10 0 0 1 19 12M2 8.5a15 15 0 0 1 4.5-2.9M11 5a15 15 0 0 1 11 3.5M12 19h.01',
  panel: 'M4 4h16v16H4zM15 4v16',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c2.5 2.5 3.7 5.5 3.7 9S14.5 18.5 12 21c-2.5-2.5-3.7-5.5-3.7-9S9.5 5.5 12 3Z',
  attach:
    'M20 11.5l-8.3 8.3a5 5 0 0 1-7.1-7.1l8.8-8.8a3.5 3.5 0 0 1 5 5l-8.8 8.7a1.8 1.8 0 0 1-2.5-2.5L15 7.5',
  template: 'M4 5h16M4 10h16M4 15h10M4 20h6',
  braces:
    'M8 4H7a2 2 0 0 0-2 2v4a2 2 0 0 1-2 2 2 2 0 0 1 2 2v4a2 2 0 0 0 2 2h1M16 4h1a2 2 0 0 1 2 2v4a2 2 0 0 0 2 2 2 2 0 0 0-2 2v4a2 2 0 0 1-2 2h-1',
  retry: 'M4 12a8 8 0 0 1 14-5.3L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.3L4 15M4 20v-5h5',
  unread: 'M12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10Z',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  move: 'M5 12h14M13 6l6 6-6 6',
} as const;

export type IconName = keyof typeof SHAPES;

interface IconProps {
  readonly name: IconName;
  readonly size?: number;
}

/** A decorative icon in the colour of the text; what it stands for is named beside it. */
export const Icon = ({ name, size = 16 }: IconProps): JSX.Element => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.7}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={SHAPES[name]} />
  </svg>
);
