import type { InjectionToken } from '../../di.ts';
import type { Endpoint } from './endpoint.ts';

/** The endpoints of one subject, and the class that holds what they are handled with. */
export interface Area<Services> {
  /** Its tag in the description. */
  readonly name: string;
  readonly description: string;
  /** An `@injectable()` class; made at the first request to the dashboard. */
  readonly services: InjectionToken<Services>;
  readonly endpoints: readonly Endpoint<Services>[];
}

/** An area whose services are its own affair. */
// biome-ignore lint/suspicious/noExplicitAny: each area's endpoints are only ever given that area's services.
export type AnyArea = Area<any>;

export function defineArea<Services>(area: Area<Services>): AnyArea {
  return area;
}
