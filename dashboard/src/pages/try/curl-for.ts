/** The same check by the API, to be run in a shell. The key is read from a variable, so that it stands in no history. */
export function curlFor(origin: string, email: string): string {
  const body = JSON.stringify({ email }).replaceAll("'", `'\\''`);
  return [
    `curl ${origin}/v1/`,
    `-H "Authorization: Bearer $POSTERN_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(' \\\n  ');
}
