/** What a person has typed and not saved. It stays in this browser until it is saved, discarded, or the person signs out. */
export interface UnsavedWork<Value> {
  /** As the question at the sign-out names it: "the rules in force". */
  readonly title: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly value: Value;
}

const PREFIX = 'postern-unsaved';

const prefixOf = (person: string) => `${PREFIX} ${person} `;
const keyOf = (person: string, subject: string) => prefixOf(person) + subject;

/** False where the browser keeps nothing: its storage is full, or closed to this page. */
export function keepUnsaved(person: string, subject: string, work: UnsavedWork<unknown>): boolean {
  try {
    localStorage.setItem(keyOf(person, subject), JSON.stringify(work));
    return true;
  } catch {
    return false;
  }
}

/** Null where there is none. */
export function findUnsaved<Value>(person: string, subject: string): UnsavedWork<Value> | null {
  return read(keyOf(person, subject));
}

export function forgetUnsaved(person: string, subject: string): void {
  attempt(() => localStorage.removeItem(keyOf(person, subject)), undefined);
}

/** Titles of all that one person has not saved, in this browser. */
export function unsavedTitles(person: string): readonly string[] {
  return keysOf(person).flatMap((key) => read(key)?.title ?? []);
}

/** At the sign-out: nothing of it may be there for the next person. */
export function forgetAllUnsaved(person: string): void {
  for (const key of keysOf(person)) attempt(() => localStorage.removeItem(key), undefined);
}

function keysOf(person: string): readonly string[] {
  return attempt(() => Object.keys(localStorage), []).filter((key) => key.startsWith(prefixOf(person)));
}

function read<Value>(key: string): UnsavedWork<Value> | null {
  return attempt(() => JSON.parse(localStorage.getItem(key) ?? 'null'), null);
}

/** Storage that is closed to a page throws at the first touch, and what lies there may be no JSON. */
function attempt<Result>(work: () => Result, otherwise: Result): Result {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
