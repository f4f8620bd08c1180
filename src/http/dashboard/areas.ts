import { ACCOUNTS_AREA } from './accounts/accounts.route.ts';
import type { AnyArea } from './area.ts';
import { AUDIT_AREA } from './audit/audit.route.ts';
import { CHECKS } from './checks/checks.route.ts';
import { KEYS_AREA } from './keys/keys.route.ts';
import { LISTS_AREA } from './lists/lists.route.ts';
import { OVERVIEW_AREA } from './overview/overview.route.ts';
import { LINKS_AREA } from './people/links.route.ts';
import { PEOPLE_AREA } from './people/people.route.ts';
import { PROVIDERS_AREA } from './providers/providers.route.ts';
import { RULES_AREA } from './rules/rules.area.ts';
import { SESSION_AREA } from './session/session.route.ts';
import { SETUP_AREA } from './session/setup.route.ts';
import { TRY_IT } from './try-it/try-it.route.ts';

/** Every area of the management API, in the order of its description. To add one is a line here. */
export const AREAS: readonly AnyArea[] = [
  SESSION_AREA,
  SETUP_AREA,
  ACCOUNTS_AREA,
  KEYS_AREA,
  PEOPLE_AREA,
  LINKS_AREA,
  OVERVIEW_AREA,
  CHECKS,
  TRY_IT,
  RULES_AREA,
  PROVIDERS_AREA,
  LISTS_AREA,
  AUDIT_AREA,
];
