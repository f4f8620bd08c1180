import { whole } from '../../lib/statistics.ts';

/** `1 check`, `20,000 checks` */
export function checksOf(count: number): string {
  return count === 1 ? '1 check' : `${whole(count)} checks`;
}
