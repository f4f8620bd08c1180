import { ApiError } from '../../api/api-error.ts';
import { errorsByField, type FieldErrors } from '../../ui/field-errors.ts';

type EntryField = 'value' | 'reason' | 'owner' | 'expires';
const FIELDS: readonly EntryField[] = ['value', 'reason', 'owner', 'expires'];

export const OWN_FORMS = 'Write jane@example.org, example.org or .example.org';

/** What is wrong with which field of an entry, in plain words; `forms`: how a value is written. Null where an error is of another kind. */
export function entryErrors(error: unknown, forms = OWN_FORMS): FieldErrors<EntryField> | null {
  if (!(error instanceof ApiError) || error.code !== 'invalid_request') return null;
  return errorsByField(error, ({ path, meant }, message) => {
    const field = FIELDS.find((name) => path === `body/change/entry/${name}`);
    return [field, wordsOf(field, message, meant, forms)];
  });
}

function wordsOf(field: EntryField | undefined, message: string, meant: unknown, forms: string): string {
  if (field === 'expires')
    return message.startsWith('that day') ? 'That day is over' : 'Write a day, such as 2027-06-30';
  if (field !== 'value') return 'Write a few words, without signs that turn the direction of the text';
  // The message says where the entry stands already.
  if (message.startsWith('it stands in')) return `It ${message.slice('it '.length)}`;
  return typeof meant === 'string' ? `${forms}. Did you mean ${meant}?` : forms;
}
