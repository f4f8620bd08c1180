import { ApiError } from '../api/api-error.ts';

/** The member of the body that a refusal is about, where its code says so. */
const MEMBER_OF_CODE: Readonly<Record<string, string>> = {
  email_taken: 'email',
  name_taken: 'name',
};

/** Replace what the service says to programs about an invalid member. */
const PLAIN: Readonly<Record<string, string>> = {
  email: 'Write an email address, such as jane@example.org',
  name: 'Write a name: a few words, without signs that turn the direction of the text',
};

/**
 * Which members of the request are wrong and why, in plain words; null where an error is of another kind, or about something
 * that has no field here.
 */
export function fieldErrors<const Name extends string>(
  error: unknown,
  names: readonly Name[],
): Partial<Record<Name, string>> | null {
  if (!(error instanceof ApiError)) return null;
  const named = names.find((name) => name === MEMBER_OF_CODE[error.code]);
  if (named !== undefined) return only(named, error.message);
  const found: Partial<Record<Name, string>> = {};
  for (const { path, message } of error.details) {
    const name = names.find((candidate) => path === `body/${candidate}`);
    if (name === undefined || typeof message !== 'string') return null;
    // A whole sentence was written for people.
    found[name] = /^\p{Lu}/u.test(message) ? message : (PLAIN[name] ?? message);
  }
  return Object.keys(found).length === 0 ? null : found;
}

function only<Name extends string>(name: Name, text: string): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  found[name] = text;
  return found;
}
