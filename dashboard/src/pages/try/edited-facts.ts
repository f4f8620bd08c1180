import { useState } from 'react';
import type { Decided, Facts, FactValue, TriableFact } from '../../api/try-it.ts';

/** The facts that were found, with the person's edits in their place. */
export interface EditedFacts {
  readonly facts: Facts;
  /** Only values that differ from what was found. */
  readonly edits: Facts;
  readonly isEdited: boolean;
  edit(id: string, value: FactValue): void;
  /** Drops the edit of one fact, or without an id all edits. */
  reset(id?: string): void;
}

export function useEditedFacts(decided: Decided | null): EditedFacts {
  const [state, setState] = useState<{ readonly of: Decided | null; readonly edits: Facts }>(NOTHING);
  // Edits belong to one trial: another one begins with none.
  const edits = state.of === decided ? state.edits : {};
  const set = (next: Facts) => setState({ of: decided, edits: next });
  const found = decided?.facts ?? {};
  const without = (id: string) => Object.fromEntries(Object.entries(edits).filter(([other]) => other !== id));
  return {
    facts: { ...found, ...edits },
    edits,
    isEdited: Object.keys(edits).length > 0,
    edit: (id, value) => set(value === found[id] ? without(id) : { ...edits, [id]: value }),
    reset: (id) => set(id === undefined ? {} : without(id)),
  };
}

/** What is wrong with a value for a fact, in a word or two; false where it can be decided on. */
export function faultOf({ type, never_unknown }: TriableFact, value: FactValue | undefined): string | false {
  if (value === null) return never_unknown && 'Never unknown';
  return type === 'integer' && typeof value === 'number' && !Number.isInteger(value) && 'A whole number';
}

const NOTHING = { of: null, edits: {} };
