import type { Messages } from '../message-types.ts';
import { enAgency } from './agency.ts';
import { enAuthorize } from './authorize.ts';
import { enAutomation } from './automation.ts';
import { enCalendar } from './calendar.ts';
import { enCommon } from './common.ts';
import { enContactPages } from './contact-pages.ts';
import { enForms } from './forms.ts';
import { enInbox } from './inbox.ts';
import { enPeople } from './people.ts';
import { enRecords } from './records.ts';
import { enSettings } from './settings.ts';
import { enSetup } from './setup.ts';
import { enShell } from './shell.ts';

export const enMessages: Messages = {
  ...enCommon,
  ...enShell,
  ...enInbox,
  ...enRecords,
  ...enCalendar,
  ...enContactPages,
  ...enPeople,
  ...enSettings,
  ...enForms,
  ...enAuthorize,
  ...enAgency,
  ...enSetup,
  ...enAutomation,
};
