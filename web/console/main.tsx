import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { currentLocale, messagesOf } from './i18n/locale.ts';
import { MessagesContext } from './i18n/messages.tsx';
import { guardBack } from './shell/leave-guard.ts';
import { applyTheme } from './shell/theme.ts';
// oxlint-disable-next-line import/no-unassigned-import -- the build makes a file of it
import './every-style.css';

guardBack();
applyTheme();
const locale = currentLocale();
document.documentElement.lang = locale;
const messages = await messagesOf(locale);
const root = document.querySelector('#root');
if (root === null) {
  throw new Error('The page lacks its element #root');
}
createRoot(root).render(
  <StrictMode>
    <I18nProvider locale={regionOf(locale)}>
      <MessagesContext value={messages}>
        <QueryClientProvider client={createQueryClient()}>
          <App />
        </QueryClientProvider>
      </MessagesContext>
    </I18nProvider>
  </StrictMode>,
);

/** Returns the browser's variant of the language, such as `en-GB`: dates are written its way. */
function regionOf(language: string): string {
  return navigator.languages.find((tag) => tag.startsWith(language)) ?? language;
}
