import type { AnyArea } from './area.ts';
import { CHECKS } from './checks/checks.route.ts';
import { KEYS_AREA } from './keys/keys.route.ts';
import { OVERVIEW_AREA } from './overview/overview.route.ts';
import { RULES_AREA } from './rules/rules.area.ts';
import { TRY_IT } from './try-it/try-it.route.ts';

/** Every area of the management API, in the order of its description. To add one is a line here. */
export const AREAS: readonly AnyArea[] = [KEYS_AREA, OVERVIEW_AREA, CHECKS, TRY_IT, RULES_AREA];
