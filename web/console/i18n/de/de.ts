import type { Messages } from '../message-types.ts';
import { deAgency } from './agency.ts';
import { deAuthorize } from './authorize.ts';
import { deAutomation } from './automation.ts';
import { deCalendar } from './calendar.ts';
import { deCommon } from './common.ts';
import { deContactPages } from './contact-pages.ts';
import { deForms } from './forms.ts';
import { deInbox } from './inbox.ts';
import { dePeople } from './people.ts';
import { deRecords } from './records.ts';
import { deSettings } from './settings.ts';
import { deSetup } from './setup.ts';
import { deShell } from './shell.ts';

export const deMessages: Messages = {
  ...deCommon,
  ...deShell,
  ...deInbox,
  ...deRecords,
  ...deCalendar,
  ...deContactPages,
  ...dePeople,
  ...deSettings,
  ...deForms,
  ...deAuthorize,
  ...deAgency,
  ...deSetup,
  ...deAutomation,
};
