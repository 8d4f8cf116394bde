import { openCode } from './code.ts';
import { openNavigation } from './navigation.ts';
import { openSearch } from './search.ts';
import { openTabs } from './tabs.ts';
import { openTrials } from './try-it.ts';

openNavigation();
openSearch();
openCode();
openTabs();
openTrials();
