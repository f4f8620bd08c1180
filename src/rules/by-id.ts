import { compareTexts } from '../lib/text.ts';

/** For sorting by id. */
export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return compareTexts(a.id, b.id);
}
