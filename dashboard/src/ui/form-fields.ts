/** The values of the named fields of a form; an empty text for a field that is missing. */
export function fieldsOf<const Name extends string>(
  form: HTMLFormElement,
  names: readonly Name[],
): Record<Name, string> {
  const data = new FormData(form);
  // The cast follows from `names`: each of them gets its entry.
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as Record<
    Name,
    string
  >;
}
