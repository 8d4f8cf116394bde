import { filePage } from './file-page.ts';
import { webFile } from './web-file.ts';

/** What pages of several slices load, that say or ask one thing (`card`). */
export const cardPages = [
  filePage({
    id: 'pages.card-style',
    path: '/pages/card.css',
    summary: 'How pages look that say or ask one thing',
    type: 'text/css; charset=utf-8',
    file: webFile('card/card.css'),
  }),
];
