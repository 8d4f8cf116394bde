import type { Messages } from '../message-types.ts';
import { frAgency } from './agency.ts';
import { frAuthorize } from './authorize.ts';
import { frAutomation } from './automation.ts';
import { frCalendar } from './calendar.ts';
import { frCommon } from './common.ts';
import { frContactPages } from './contact-pages.ts';
import { frForms } from './forms.ts';
import { frInbox } from './inbox.ts';
import { frPeople } from './people.ts';
import { frRecords } from './records.ts';
import { frSettings } from './settings.ts';
import { frSetup } from './setup.ts';
import { frShell } from './shell.ts';

export const frMessages: Messages = {
  ...frCommon,
  ...frShell,
  ...frInbox,
  ...frRecords,
  ...frCalendar,
  ...frContactPages,
  ...frPeople,
  ...frSettings,
  ...frForms,
  ...frAuthorize,
  ...frAgency,
  ...frSetup,
  ...frAutomation,
};
