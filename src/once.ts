/** Made when it is first asked for, and kept: what takes milliseconds to make and may never be asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
