import type { InjectionToken } from "./di.ts";
export type { InjectionToken };
