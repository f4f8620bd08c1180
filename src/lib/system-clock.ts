import type { InjectionToken } from '../di.ts';
import type { Clock } from '../provider-kit/index.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** The wall clock. */
export const CLOCK: InjectionToken<Clock> = Symbol('Clock');
