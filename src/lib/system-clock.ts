import type { Clock } from '../provider-kit/index.ts';

export const systemClock: Clock = { now: () => Date.now() };
