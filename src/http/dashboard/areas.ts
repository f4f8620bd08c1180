import type { AnyArea } from './area.ts';
import { RULES_AREA } from './rules/rules.area.ts';
import { TRY_IT } from './try-it/try-it.route.ts';

/** Every area of the management API, in the order of its description. To add one is a line here. */
export const AREAS: readonly AnyArea[] = [TRY_IT, RULES_AREA];
