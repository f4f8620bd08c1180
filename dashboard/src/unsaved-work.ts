/** What a person has typed and not saved. It stays in this browser until it is saved, discarded, or the person signs out. */
export interface UnsavedWork<Value> {
  /** As the question at the sign-out names it: "the rules in force". */
  readonly title: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly value: Value;
}

const PREFIX = 'postern-unsaved';

/** By storage key: the text that this tab wrote or read last. Another text is from another tab, and is left alone. */
const known = new Map<string, string>();

const prefixOf = (person: string) => `${PREFIX} ${person} `;
const keyOf = (person: string, subject: string) => prefixOf(person) + subject;

/** False where it is not kept: the storage is full, or closed to this page, or holds the text of another tab. */
export function keepUnsaved(person: string, subject: string, work: UnsavedWork<unknown>): boolean {
  const key = keyOf(person, subject);
  const text = JSON.stringify(work);
  return attempt(() => {
    if (localStorage.getItem(key) !== null && !isOfThisTab(key)) return false;
    localStorage.setItem(key, text);
    known.set(key, text);
    return true;
  }, false);
}

/** Whether what this tab has kept is still there. */
export function isUnsavedKept(person: string, subject: string): boolean {
  return isOfThisTab(keyOf(person, subject));
}

/** Null where there is none. From then on the text is this tab's: it may overwrite and delete it. */
export function findUnsaved<Value>(person: string, subject: string): UnsavedWork<Value> | null {
  const key = keyOf(person, subject);
  const text = textAt(key);
  if (text !== null) known.set(key, text);
  return read(key);
}

export function forgetUnsaved(person: string, subject: string): void {
  const key = keyOf(person, subject);
  if (isOfThisTab(key)) attempt(() => localStorage.removeItem(key), undefined);
}

/** Titles of all that one person has not saved, in this browser. */
export function unsavedTitles(person: string): readonly string[] {
  return keysOf(person).flatMap((key) => read(key)?.title ?? []);
}

/** At sign-out, texts of other tabs too: the next person must find nothing. */
export function forgetAllUnsaved(person: string): void {
  for (const key of keysOf(person)) attempt(() => localStorage.removeItem(key), undefined);
}

function keysOf(person: string): readonly string[] {
  return attempt(() => Object.keys(localStorage), []).filter((key) => key.startsWith(prefixOf(person)));
}

function isOfThisTab(key: string): boolean {
  const text = textAt(key);
  return text !== null && text === known.get(key);
}

function read<Value>(key: string): UnsavedWork<Value> | null {
  return attempt(() => JSON.parse(textAt(key) ?? 'null'), null);
}

function textAt(key: string): string | null {
  return attempt(() => localStorage.getItem(key), null);
}

/** `otherwise` where the work throws: localStorage does where it is blocked, and JSON.parse where the text is no JSON. */
function attempt<Result>(work: () => Result, otherwise: Result): Result {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
