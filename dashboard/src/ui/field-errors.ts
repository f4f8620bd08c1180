import { ApiError, type ErrorDetail } from '../api/api-error.ts';

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

export type FieldErrors<Name extends string> = Partial<Record<Name, string>>;

/** What is wrong by field, the first fault of each; null where a detail is about something that has no field. */
export function errorsByField<Name extends string>(
  { details }: ApiError,
  read: (detail: ErrorDetail, message: string) => readonly [field: Name | undefined, words: string],
): FieldErrors<Name> | null {
  const found: FieldErrors<Name> = {};
  for (const detail of details) {
    const [field, words] = read(detail, String(detail.message));
    if (field === undefined) return null;
    found[field] ??= words;
  }
  return Object.keys(found).length === 0 ? null : found;
}

/** Which members of the request are wrong and why, in plain words; null also where an error is of another kind. */
export function fieldErrors<const Name extends string>(
  error: unknown,
  names: readonly Name[],
): FieldErrors<Name> | null {
  if (!(error instanceof ApiError)) return null;
  const named = names.find((name) => name === MEMBER_OF_CODE[error.code]);
  if (named !== undefined) return { [named]: error.message } as FieldErrors<Name>;
  return errorsByField(error, ({ path }, message) => {
    const name = names.find((candidate) => path === `body/${candidate}`);
    // A whole sentence was written for people.
    return [name, /^\p{Lu}/u.test(message) ? message : (PLAIN[name ?? ''] ?? message)];
  });
}
