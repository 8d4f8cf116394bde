import type { PageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { picturePages } from '../accounts/users/pictures.pages.ts';
import { cardPages, rootPages } from '#platform/http/static.ts';
import { feedPages } from '../booking/feeds/feed.pages.ts';
import { bookingPages } from '../booking/pages/booking.pages.ts';
import { waitingPages } from '../booking/waiting/waiting.pages.ts';
import { managePages } from '../booking/pages/manage/manage.pages.ts';
import { capturedPages } from '../campaigns/captured/captured.pages.ts';
import { campaignPages } from '../campaigns/pages/campaigns.pages.ts';
import { chatPages } from '../chat/chat.pages.ts';
import { docsPages } from '../docs/docs.pages.ts';
import { filePages } from '../files/files.pages.ts';
import { formPages } from '../forms/pages/forms.pages.ts';

/** All pages and files for browsers; not part of the OpenAPI document. */
export const pages: readonly PageEndpoint[] = [
  ...bookingPages,
  ...managePages,
  ...waitingPages,
  ...chatPages,
  ...feedPages,
  ...filePages,
  ...picturePages,
  ...formPages,
  ...campaignPages,
  ...capturedPages,
  ...cardPages,
  ...rootPages,
  ...docsPages,
];
